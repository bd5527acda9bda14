"""The user's browser, the loopback address to which it comes back, and what is read of an account."""
import os
import socket
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import quote, urlsplit

BASE = os.environ["GAMEDATA_BASE_URL"]
AUTH = os.environ["GAMEDATA_AUTH_URL"]
CLIENT = os.environ["GAMEDATA_PUBLIC_CLIENT_ID"]
SCOPES = ["account:profile", "account:characters", "account:leagues"]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/callback"):
            self.server.answer = self.path
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Loopback:
    def __init__(self, port=0):
        self.server = HTTPServer(("127.0.0.1", port), Handler)
        self.server.answer = None
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.redirect_uri = f"{self.origin}/callback"

    def visited(self, page):
        """The URL of the first callback after the browser was sent to a page."""
        webbrowser.open(page)
        while self.server.answer is None:
            self.server.handle_request()
        self.server.server_close()
        return self.origin + self.server.answer


class Registered(Loopback):
    """At the redirect URI of the client with a secret."""

    def __init__(self):
        super().__init__(urlsplit(os.environ["GAMEDATA_REDIRECT_URI"]).port)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def stored(name):
    """A file of what the client stores."""
    return os.path.join(os.environ["GAMEDATA_STATE"], name)


def paths(characters):
    return [f"/character/{quote(one['name'], safe='')}" for one in characters[:2]] + ["/account/leagues"]

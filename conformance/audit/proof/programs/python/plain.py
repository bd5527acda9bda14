"""requests-oauthlib as its documentation has it: a desktop login, then requests one after the other."""
import os
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from requests_oauthlib import OAuth2Session

BASE = os.environ["GAMEDATA_BASE_URL"]
AUTH = os.environ["GAMEDATA_AUTH_URL"]
CLIENT = os.environ["GAMEDATA_PUBLIC_CLIENT_ID"]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/callback"):
            self.server.answer = self.path
        self.send_response(200)
        self.end_headers()


server = HTTPServer(("127.0.0.1", 0), Handler)
server.answer = None
redirect = f"http://127.0.0.1:{server.server_port}/callback"
session = OAuth2Session(
    CLIENT,
    scope=["account:profile", "account:characters"],
    redirect_uri=redirect,
    pkce="S256",
    auto_refresh_url=f"{AUTH}/oauth/token",
    auto_refresh_kwargs={"client_id": CLIENT},
    token_updater=lambda token: None,
)
url, state = session.authorization_url(f"{AUTH}/oauth/authorize")
webbrowser.open(url)
while server.answer is None:
    server.handle_request()
server.server_close()
session.fetch_token(f"{AUTH}/oauth/token", authorization_response=redirect + server.answer, include_client_id=True)
for path in ["/profile", "/character", "/profile"]:
    answer = session.get(BASE + path)
    answer.raise_for_status()
    answer.json()

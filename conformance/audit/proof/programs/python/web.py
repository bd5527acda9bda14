"""A small web application with Authlib and requests: a confidential client that asks one user, and keeps nothing."""
import os
import sys
import threading
import urllib.parse
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

BASE = os.environ["GAMEDATA_BASE_URL"]
AUTH = os.environ["GAMEDATA_AUTH_URL"]
REDIRECT = os.environ["GAMEDATA_REDIRECT_URI"]

client = OAuth2Session(
    os.environ["GAMEDATA_CLIENT_ID"],
    os.environ["GAMEDATA_CLIENT_SECRET"],
    scope="account:profile account:leagues",
    redirect_uri=REDIRECT,
    token_endpoint=f"{AUTH}/oauth/token",
    token_endpoint_auth_method="client_secret_basic",
    code_challenge_method="S256",
)
client.headers["User-Agent"] = "example-py-web/0.1"
client.mount("http://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=0.5, status_forcelist=[429, 500, 503])))
verifier = generate_token(48)
url, state = client.create_authorization_url(f"{AUTH}/oauth/authorize", code_verifier=verifier)
done = threading.Event()
answers = []


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        if parts.path != urllib.parse.urlsplit(REDIRECT).path:
            self.send_error(404)
            return
        query = dict(urllib.parse.parse_qsl(parts.query))
        if query.get("state") != state:
            self.send_error(400)
            return
        answers.append(query)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")
        done.set()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", urllib.parse.urlsplit(REDIRECT).port), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
webbrowser.open(url)
try:
    if not done.wait(30):
        raise TimeoutError("nobody answered")
    server.shutdown()
    if "error" in answers[0]:
        raise PermissionError(answers[0]["error"])
    client.fetch_token(code=answers[0]["code"], code_verifier=verifier, timeout=20)
    for path in ("/profile", "/account/leagues"):
        answer = client.get(BASE + path, timeout=20)
        answer.raise_for_status()
        answer.json()
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")

"""A desktop application with requests-oauthlib, as its documentation has it: tokens in a file, refreshed by the session."""
import json
import os
import sys
import time
import urllib.parse
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
from oauthlib.oauth2 import InvalidGrantError, TokenExpiredError
from requests_oauthlib import OAuth2Session

BASE = os.environ["GAMEDATA_BASE_URL"]
AUTH = os.environ["GAMEDATA_AUTH_URL"]
CLIENT = os.environ["GAMEDATA_PUBLIC_CLIENT_ID"]
FILE = os.path.join(os.environ["GAMEDATA_STATE"], "token.json")
SCOPES = ["account:profile", "account:characters"]
AGENT = {"User-Agent": "example-py-desktop/1.2 (contact: py@example.com)"}


def save(token):
    with open(FILE, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        json.dump(token, file)


def session(**more):
    made = OAuth2Session(
        CLIENT,
        auto_refresh_url=f"{AUTH}/oauth/token",
        auto_refresh_kwargs={"client_id": CLIENT},
        token_updater=save,
        **more,
    )
    made.headers.update(AGENT)
    return made


def login():
    answers = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
            known = query.get("state") == [state]
            if known:
                answers.append(self.path)
            self.send_response(200 if known else 404)
            self.end_headers()
            self.wfile.write(b"You may close this window.")

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    redirect = f"http://127.0.0.1:{server.server_port}/callback"
    made = session(scope=SCOPES, redirect_uri=redirect, pkce="S256")
    url, state = made.authorization_url(f"{AUTH}/oauth/authorize")
    webbrowser.open(url)
    while not answers:
        server.handle_request()
    server.server_close()
    save(
        made.fetch_token(
            f"{AUTH}/oauth/token", authorization_response=redirect + answers[0], include_client_id=True, timeout=20
        )
    )
    # The session sends its scope with every refresh: what was granted, and no more.
    made.scope = made.token["scope"]
    return made


def get(made, path):
    renewed = False
    while True:
        answer = made.get(BASE + path, timeout=20)
        if answer.status_code == 401 and not renewed:
            renewed = True
            save(made.refresh_token(f"{AUTH}/oauth/token", client_id=CLIENT, timeout=20))
        elif answer.status_code == 429:
            wait = answer.headers.get("Retry-After", "5")
            time.sleep((int(wait) if wait.isdigit() else 5) + 0.2)
        else:
            answer.raise_for_status()
            return answer.json()


def main():
    if os.path.exists(FILE):
        with open(FILE, encoding="utf-8") as file:
            made = session(token=json.load(file))
    else:
        made = login()
    try:
        print(get(made, "/profile")["name"])
    except InvalidGrantError:
        made = login()
        print(get(made, "/profile")["name"])
    for character in get(made, "/character")["characters"][:2]:
        get(made, "/character/" + urllib.parse.quote(character["name"], safe=""))


try:
    main()
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")

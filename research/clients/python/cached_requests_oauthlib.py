"""requests-oauthlib, as its documentation of refreshes has it, with a file for token_updater."""
import json
import os

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from oauthlib.oauth2 import TokenExpiredError
from requests_oauthlib import OAuth2Session

from browser import AUTH, BASE, CLIENT, SCOPES, Loopback, paths, stored

FILE = stored("token.json")


def token_saver(token):
    with open(FILE, "w") as file:
        json.dump(token, file)


def login():
    loopback = Loopback()
    session = OAuth2Session(CLIENT, scope=SCOPES, redirect_uri=loopback.redirect_uri, pkce="S256")
    page, _ = session.authorization_url(f"{AUTH}/oauth/authorize")
    answer = loopback.visited(page)
    token_saver(session.fetch_token(f"{AUTH}/oauth/token", authorization_response=answer, include_client_id=True))


if not os.path.exists(FILE):
    login()
with open(FILE) as file:
    token = json.load(file)
session = OAuth2Session(CLIENT, token=token)


def get(path):
    response = session.get(BASE + path)
    if response.status_code == 401:
        # The library refreshes by its clock; the second of the documented ways is to do it oneself.
        token_saver(session.refresh_token(f"{AUTH}/oauth/token", client_id=CLIENT))
        response = session.get(BASE + path)
    response.raise_for_status()
    return response.json()


try:
    get("/profile")
except TokenExpiredError:
    token_saver(session.refresh_token(f"{AUTH}/oauth/token", client_id=CLIENT))
for path in paths(get("/character")["characters"]):
    get(path)

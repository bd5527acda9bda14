"""Authlib's session for requests, as its documentation has it, with a file for update_token."""
import json
import os

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from browser import AUTH, BASE, CLIENT, SCOPES, Loopback, paths, stored

FILE = stored("token.json")


def update_token(token, refresh_token=None, access_token=None):
    with open(FILE, "w") as file:
        json.dump(token, file)


def session_of(**more):
    return OAuth2Session(
        CLIENT,
        scope=" ".join(SCOPES),
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
        token_endpoint=f"{AUTH}/oauth/token",
        update_token=update_token,
        **more,
    )


def login():
    loopback = Loopback()
    session = session_of(redirect_uri=loopback.redirect_uri)
    verifier = generate_token(48)
    page, state = session.create_authorization_url(f"{AUTH}/oauth/authorize", code_verifier=verifier)
    answer = loopback.visited(page)
    update_token(session.fetch_token(authorization_response=answer, code_verifier=verifier, state=state))


if not os.path.exists(FILE):
    login()
with open(FILE) as file:
    session = session_of(token=json.load(file))


def get(path):
    response = session.get(BASE + path)
    if response.status_code == 401:
        # The library refreshes by its clock; this is its call for everybody else.
        session.refresh_token(f"{AUTH}/oauth/token", refresh_token=session.token["refresh_token"])
        response = session.get(BASE + path)
    response.raise_for_status()
    return response.json()


get("/profile")
for path in paths(get("/character")["characters"]):
    get(path)

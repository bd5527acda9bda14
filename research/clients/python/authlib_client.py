"""Authlib's session for requests, as its documentation has it."""
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from browser import AUTH, BASE, CLIENT, SCOPES, Loopback, paths

loopback = Loopback()
session = OAuth2Session(
    CLIENT,
    scope=" ".join(SCOPES),
    redirect_uri=loopback.redirect_uri,
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
    token_endpoint=f"{AUTH}/oauth/token",
)
verifier = generate_token(48)
page, state = session.create_authorization_url(f"{AUTH}/oauth/authorize", code_verifier=verifier)
answer = loopback.visited(page)
session.fetch_token(f"{AUTH}/oauth/token", authorization_response=answer, code_verifier=verifier)


def get(path):
    response = session.get(BASE + path)
    response.raise_for_status()
    return response.json()


get("/profile")
session.refresh_token(f"{AUTH}/oauth/token", refresh_token=session.token["refresh_token"])
for path in paths(get("/character")["characters"]):
    get(path)

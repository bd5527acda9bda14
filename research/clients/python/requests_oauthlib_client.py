"""requests-oauthlib, as its documentation has it: it refreshes where its own clock says that the token has expired."""
import os

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from requests_oauthlib import OAuth2Session

from browser import AUTH, BASE, CLIENT, SCOPES, Loopback, paths

loopback = Loopback()
session = OAuth2Session(
    CLIENT,
    scope=SCOPES,
    redirect_uri=loopback.redirect_uri,
    pkce="S256",
    auto_refresh_url=f"{AUTH}/oauth/token",
    auto_refresh_kwargs={"client_id": CLIENT},
    token_updater=lambda token: None,
)
page, state = session.authorization_url(f"{AUTH}/oauth/authorize")
answer = loopback.visited(page)
session.fetch_token(f"{AUTH}/oauth/token", authorization_response=answer, include_client_id=True)


def get(path):
    response = session.get(BASE + path)
    response.raise_for_status()
    return response.json()


get("/profile")
session.refresh_token(f"{AUTH}/oauth/token", client_id=CLIENT)
for path in paths(get("/character")["characters"]):
    get(path)

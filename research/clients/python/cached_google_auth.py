"""google-auth and google-auth-oauthlib, as their quickstart has it: a token.json, and a session that refreshes."""
import json
import os
from datetime import datetime

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import Flow

from browser import AUTH, BASE, SCOPES, Registered, paths, stored

FILE = stored("token.json")
secrets = {
    "client_id": os.environ["GAMEDATA_CLIENT_ID"],
    "client_secret": os.environ["GAMEDATA_CLIENT_SECRET"],
    "auth_uri": f"{AUTH}/oauth/authorize",
    "token_uri": f"{AUTH}/oauth/token",
}


def from_file():
    """What Credentials.from_authorized_user_file does, which knows the token endpoint of Google alone."""
    with open(FILE) as file:
        info = json.load(file)
    named = {name: info[name] for name in ("refresh_token", "token_uri", "client_id", "client_secret", "scopes")}
    expiry = datetime.fromisoformat(info["expiry"].rstrip("Z").split(".")[0])
    return Credentials(info["token"], expiry=expiry, **named)


creds = from_file() if os.path.exists(FILE) else None
if not creds or not creds.valid:
    if creds and creds.expired and creds.refresh_token:
        creds.refresh(Request())
    else:
        loopback = Registered()
        flow = Flow.from_client_config({"web": secrets}, SCOPES, redirect_uri=loopback.redirect_uri)
        page, _ = flow.authorization_url()
        flow.fetch_token(authorization_response=loopback.visited(page))
        creds = flow.credentials
    with open(FILE, "w") as token:
        token.write(creds.to_json())
session = AuthorizedSession(creds)


def get(path):
    response = session.get(BASE + path)
    response.raise_for_status()
    return response.json()


get("/profile")
for path in paths(get("/character")["characters"]):
    get(path)

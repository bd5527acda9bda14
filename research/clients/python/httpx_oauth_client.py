"""httpx-oauth's generic client, as its documentation has it: a client with a secret; its example has no state to compare."""
import asyncio
import hashlib
import os
import secrets
from base64 import urlsafe_b64encode
from http.server import HTTPServer
from urllib.parse import parse_qs, urlsplit

import httpx
from httpx_oauth.oauth2 import OAuth2

from browser import AUTH, BASE, SCOPES, Handler, Loopback, paths

redirect_uri = os.environ["GAMEDATA_REDIRECT_URI"]
client = OAuth2(
    os.environ["GAMEDATA_CLIENT_ID"],
    os.environ["GAMEDATA_CLIENT_SECRET"],
    f"{AUTH}/oauth/authorize",
    f"{AUTH}/oauth/token",
    refresh_token_endpoint=f"{AUTH}/oauth/token",
)


class Registered(Loopback):
    def __init__(self):
        address = urlsplit(redirect_uri)
        self.server = HTTPServer((address.hostname, address.port), Handler)
        self.server.answer = None
        self.origin = f"{address.scheme}://{address.netloc}"


async def main():
    verifier = secrets.token_urlsafe(32)
    page = await client.get_authorization_url(
        redirect_uri,
        state=secrets.token_urlsafe(16),
        scope=SCOPES,
        code_challenge=urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode(),
        code_challenge_method="S256",
    )
    query = parse_qs(urlsplit(Registered().visited(page)).query)
    token = await client.get_access_token(query["code"][0], redirect_uri, verifier)

    async def get(path):
        async with httpx.AsyncClient() as data:
            response = await data.get(BASE + path, headers={"Authorization": f"Bearer {token['access_token']}"})
            response.raise_for_status()
            return response.json()

    await get("/profile")
    token = await client.refresh_token(token["refresh_token"])
    for path in paths((await get("/character"))["characters"]):
        await get(path)


asyncio.run(main())

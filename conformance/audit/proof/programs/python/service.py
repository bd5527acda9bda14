"""A service with Authlib and httpx: its own token, several requests at once, a stream kept up for a while."""
import asyncio
import os
import sys
import time
from urllib.parse import quote

from authlib.integrations.httpx_client import AsyncOAuth2Client

BASE = os.environ["GAMEDATA_BASE_URL"]
SCOPE = "service:leagues service:leagues:ladder service:psapi service:cxapi"


async def get(client, path, params=None):
    for attempt in range(5):
        answer = await client.get(BASE + path, params=params, timeout=20)
        if answer.status_code == 401 and attempt == 0:
            await client.fetch_token()
        elif answer.status_code in (429, 502, 503, 504):
            wait = answer.headers.get("retry-after", "")
            await asyncio.sleep((int(wait) if wait.isdigit() else 2**attempt) + 0.1)
        else:
            answer.raise_for_status()
            return answer.json()
    raise RuntimeError(f"{path}: no answer after 5 tries")


async def stream(client):
    cursor = None
    for _ in range(5):
        page = await get(client, "/public-stash-tabs", {"id": cursor} if cursor else None)
        cursor = page["next_change_id"]
        if not page["stashes"]:
            await asyncio.sleep(1)


async def history(client):
    cursor = None
    for _ in range(4):
        page = await get(client, "/currency-exchange" + (f"/{cursor}" if cursor else ""))
        if page["next_change_id"] == cursor:
            return
        cursor = page["next_change_id"]


async def leagues(client):
    found = (await get(client, "/league", {"realm": "pc", "limit": 10}))["leagues"]
    for league in found[:2]:
        await get(client, f"/league/{quote(league['id'], safe='')}/ladder", {"limit": 50})


async def main():
    async with AsyncOAuth2Client(
        os.environ["GAMEDATA_SERVICE_CLIENT_ID"],
        os.environ["GAMEDATA_SERVICE_CLIENT_SECRET"],
        token_endpoint=os.environ["GAMEDATA_AUTH_URL"] + "/oauth/token",
        token_endpoint_auth_method="client_secret_post",
        grant_type="client_credentials",
        scope=SCOPE,
        headers={"User-Agent": "example-py-service/7 (contact: svc@example.com)"},
    ) as client:
        await client.fetch_token()
        await asyncio.gather(stream(client), history(client), leagues(client))


try:
    asyncio.run(main())
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")

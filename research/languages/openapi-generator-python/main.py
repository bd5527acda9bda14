import os
import sys

from game_data import (
    ApiClient,
    AuthorizationApi,
    CharactersApi,
    Configuration,
    LeaguesApi,
    PublicStashesApi,
)

url = os.environ.get("GAME_URL", "http://127.0.0.1:4010")
client_id, client_secret = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]


def api(token: str | None = None) -> ApiClient:
    return ApiClient(Configuration(host=url, access_token=token, ignore_operation_servers=True))


scope = "service:leagues:ladder service:psapi"
authorization = AuthorizationApi(api())
service = authorization.issue_token(client_id, "client_credentials", client_secret=client_secret, scope=scope)
print(f"client credentials: {service.token_type}")

refresh_token = os.environ.get("REFRESH_TOKEN") or sys.exit("REFRESH_TOKEN is not set: README.md says how to get one")
user = authorization.issue_token(
    client_id, "refresh_token", client_secret=client_secret, refresh_token=refresh_token
)
print(f"refresh: {user.username}")

character = CharactersApi(api(user.access_token)).get_character("AsterOfReeds").character
assert character
worn = character.equipment or []
print(f"character: level {character.level}, experience {character.experience}, {len(worn)} items")

leagues = LeaguesApi(api(service.access_token))
entries = 0
while True:
    reply = leagues.get_league_ladder("Standard", limit=500, offset=entries)
    page = reply.ladder or reply.league  # live services have it in ladder
    if not page or not page.entries:
        break
    entries += len(page.entries)
print(f"ladder: {entries} entries")

streams = PublicStashesApi(api(service.access_token))
change: str | None = None
stashes, items = 0, 0
while True:
    stream = streams.get_public_stash_tabs(id=change)
    if not stream.stashes:
        break
    stashes += len(stream.stashes)
    items += sum(len(stash.items or []) for stash in stream.stashes)
    change = stream.next_change_id
print(f"stream: {stashes} stashes, {items} items")

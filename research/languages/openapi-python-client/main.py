import os
import sys

from generated import AuthenticatedClient, Client
from generated.api.authorization import issue_token
from generated.api.characters import get_character
from generated.api.leagues import get_league_ladder
from generated.api.public_stashes import get_public_stash_tabs
from generated.models import (
    GetCharacterResponse200,
    GetLeagueLadderResponse200,
    GetPublicStashTabsResponse200,
    TokenRequest,
    TokenRequestGrantType,
    TokenResponse,
)
from generated.types import UNSET, Unset

url = os.environ.get("GAME_URL", "http://127.0.0.1:4010")
client_id = os.environ["CLIENT_ID"]


def bearer(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)


def tokens(grant: TokenRequestGrantType, **more: str) -> TokenResponse:
    body = TokenRequest(client_id=client_id, grant_type=grant, client_secret=os.environ["CLIENT_SECRET"], **more)
    reply = issue_token.sync(client=Client(base_url=url), body=body)  # type: ignore[arg-type]
    assert isinstance(reply, TokenResponse), reply
    return reply


service = tokens(TokenRequestGrantType.CLIENT_CREDENTIALS, scope="service:leagues:ladder service:psapi")
print(f"client credentials: {service.token_type}")

refresh = os.environ.get("REFRESH_TOKEN") or sys.exit("REFRESH_TOKEN is not set: README.md says how to get one")
user = tokens(TokenRequestGrantType.REFRESH_TOKEN, refresh_token=refresh)
print(f"refresh: {user.username}")

found = get_character.sync("AsterOfReeds", client=bearer(user.access_token))
assert isinstance(found, GetCharacterResponse200) and found.character
worn = found.character.equipment or []
print(f"character: level {found.character.level}, experience {found.character.experience}, {len(worn)} items")

entries = 0
while True:
    reply = get_league_ladder.sync("Standard", client=bearer(service.access_token), limit=500, offset=entries)
    assert isinstance(reply, GetLeagueLadderResponse200), reply
    page = reply.ladder or reply.league  # live services have it in ladder
    if not page or not page.entries:
        break
    entries += len(page.entries)
print(f"ladder: {entries} entries")

change: str | Unset = UNSET
stashes, items = 0, 0
while True:
    stream = get_public_stash_tabs.sync(client=bearer(service.access_token), id=change)
    assert isinstance(stream, GetPublicStashTabsResponse200), stream
    if not stream.stashes:
        break
    stashes += len(stream.stashes)
    items += sum(len(stash.items or []) for stash in stream.stashes)
    change = stream.next_change_id
print(f"stream: {stashes} stashes, {items} items")

import os

from generated import AuthenticatedClient, Client
from generated.api.authorization import issue_token
from generated.api.leagues import get_league_ladder
from generated.models import GetLeagueLadderResponse200, TokenRequest, TokenRequestGrantType, TokenResponse

url, client_id, secret = (os.environ[name] for name in ("GAME_URL", "CLIENT_ID", "CLIENT_SECRET"))
grant = TokenRequestGrantType.CLIENT_CREDENTIALS
form = TokenRequest(client_id, grant, client_secret=secret, scope="service:leagues:ladder")
token = issue_token.sync(client=Client(url), body=form)  # type: ignore[arg-type]
assert isinstance(token, TokenResponse), token
reply = get_league_ladder.sync("Standard", client=AuthenticatedClient(url, token.access_token), limit=10)
assert isinstance(reply, GetLeagueLadderResponse200), reply
ladder = reply.ladder or reply.league  # live services have it in ladder
for entry in (ladder and ladder.entries) or []:
    print(entry.rank, entry.character.name, entry.character.level)

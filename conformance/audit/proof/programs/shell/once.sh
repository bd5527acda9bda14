#!/bin/sh
# One token, one page: curl and nothing else. It ends with the first thing that fails.
set -eu
agent='example-cron/1 (contact: cron@example.com)'
token=$(curl -fsS -A "$agent" --max-time 20 "$GAMEDATA_AUTH_URL/oauth/token" \
  --data-urlencode "client_id=$GAMEDATA_SERVICE_CLIENT_ID" \
  --data-urlencode "client_secret=$GAMEDATA_SERVICE_CLIENT_SECRET" \
  -d grant_type=client_credentials --data-urlencode 'scope=service:leagues' |
  sed 's/.*"access_token"[ :]*"\([^"]*\)".*/\1/')
[ -n "$token" ] || exit 1
curl -fsS -A "$agent" --max-time 30 -H "Authorization: Bearer $token" "$GAMEDATA_BASE_URL/league?limit=5" >/dev/null

#!/bin/sh
# A token that was given, and the retries of curl.
set -eu
get() {
  curl -fsS --retry 3 --retry-connrefused --max-time 30 -A 'example-backup/2' \
    -H "Authorization: Bearer $GAMEDATA_TOKEN_ACCOUNT" "$GAMEDATA_BASE_URL$1"
}
get /profile >"$GAMEDATA_STATE/profile.json"
get /character >"$GAMEDATA_STATE/characters.json"

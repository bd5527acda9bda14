"""spotipy, a client of a web API, with its own login and cache of tokens, and the addresses of another service."""
import spotipy
from spotipy.oauth2 import CacheFileHandler, SpotifyPKCE

from browser import AUTH, BASE, CLIENT, SCOPES, free_port, paths, stored

SpotifyPKCE.OAUTH_AUTHORIZE_URL = f"{AUTH}/oauth/authorize"
SpotifyPKCE.OAUTH_TOKEN_URL = f"{AUTH}/oauth/token"
cache = CacheFileHandler(cache_path=stored(".cache"))
auth = SpotifyPKCE(
    client_id=CLIENT,
    redirect_uri=f"http://127.0.0.1:{free_port()}/callback",
    scope=SCOPES,
    state="0123456789abcdef",
    cache_handler=cache,
)
client = spotipy.Spotify(auth_manager=auth)


def get(path):
    try:
        return client._get(BASE + path)
    except spotipy.SpotifyException as error:
        if error.http_status != 401:
            raise
        # The library refreshes by its clock; this is its call for everybody else.
        auth.refresh_access_token(cache.get_cached_token()["refresh_token"])
        return client._get(BASE + path)


get("/profile")
for path in paths(get("/character")["characters"]):
    get(path)

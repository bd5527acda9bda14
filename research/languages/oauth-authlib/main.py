import os
import secrets

import requests
from authlib.integrations.requests_client import OAuth2Session

url = os.environ.get("GAME_URL", "http://127.0.0.1:4010")
application = {
    "client_id": os.environ["CLIENT_ID"],
    "client_secret": os.environ["CLIENT_SECRET"],
    "token_endpoint_auth_method": "client_secret_post",
    "revocation_endpoint_auth_method": "client_secret_post",
    "token_endpoint": f"{url}/oauth/token",
}
callback = "https://app.example/callback"

user = OAuth2Session(**application, scope="account:profile", redirect_uri=callback, code_challenge_method="S256")
verifier = secrets.token_urlsafe(48)
page, state = user.create_authorization_url(f"{url}/oauth/authorize", code_verifier=verifier)
# A browser goes to the page; here the mock consents at once and says where the browser would come back.
back = requests.get(page, allow_redirects=False).headers["location"]
tokens = user.fetch_token(authorization_response=back, code_verifier=verifier, state=state)
print("code:", user.get(f"{url}/profile").json()["name"])

fresh = user.refresh_token(refresh_token=tokens["refresh_token"])
print("refresh:", user.get(f"{url}/profile").json()["name"])

service = OAuth2Session(**application, scope="service:leagues")
service.fetch_token(grant_type="client_credentials")
print("client credentials:", service.get(f"{url}/league").status_code)

user.revoke_token(f"{url}/oauth/token/revoke", token=fresh["access_token"])
bearer = {"Authorization": f"Bearer {fresh['access_token']}"}
print("revocation:", requests.get(f"{url}/profile", headers=bearer).status_code)

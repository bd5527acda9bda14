"""Authlib's authorization server for Flask, put together as its documentation does."""

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import clock  # noqa: E402, before anything that asks for the time

from authlib.integrations.flask_oauth2 import AuthorizationServer  # noqa: E402
from authlib.integrations.sqla_oauth2 import (  # noqa: E402
    OAuth2AuthorizationCodeMixin,
    OAuth2ClientMixin,
    OAuth2TokenMixin,
    create_query_client_func,
    create_query_token_func,
    create_revocation_endpoint,
)
from authlib.oauth2.rfc6749 import OAuth2Error, grants  # noqa: E402
from authlib.oauth2.rfc6750 import BearerTokenGenerator  # noqa: E402
from authlib.oauth2.rfc7636 import CodeChallenge  # noqa: E402
from authlib.oauth2.rfc7662 import IntrospectionEndpoint  # noqa: E402
from authlib.common.security import generate_token  # noqa: E402
from flask import Flask, request  # noqa: E402
from sqlalchemy import Column, Integer, String, create_engine, event  # noqa: E402
from sqlalchemy.orm import declarative_base, scoped_session, sessionmaker  # noqa: E402

HOUR = 3600
DAY = 24 * HOUR
world = json.loads((Path(__file__).parent.parent / "world.json").read_text())
names = {uuid: name for name, uuid in world["accounts"].items()}

engine = create_engine(f"sqlite:///{tempfile.mkdtemp()}/authlib.db", connect_args={"timeout": 30})


@event.listens_for(engine, "connect")
def spare_the_disk(connection, _):
    connection.execute("PRAGMA synchronous=OFF")


session = scoped_session(sessionmaker(bind=engine))
Base = declarative_base()


class Client(Base, OAuth2ClientMixin):
    __tablename__ = "client"
    id = Column(Integer, primary_key=True)

    def is_public(self):
        return self.token_endpoint_auth_method == "none"


class Code(Base, OAuth2AuthorizationCodeMixin):
    __tablename__ = "code"
    id = Column(Integer, primary_key=True)
    user_id = Column(String(36))

    def is_expired(self):
        """The mixin's own five minutes, as thirty seconds."""
        return self.auth_time + 30 < clock.time.time()


class Token(Base, OAuth2TokenMixin):
    __tablename__ = "token"
    id = Column(Integer, primary_key=True)
    user_id = Column(String(36))

    def is_refresh_token_active(self):
        client = session.query(Client).filter_by(client_id=self.client_id).first()
        life = 7 * DAY if client.is_public() else 90 * DAY
        return not self.refresh_token_revoked_at and self.issued_at + life >= clock.time.time()


Base.metadata.create_all(engine)
for known in world["clients"].values():
    redirect = known.get("redirect_uri")
    client = Client(client_id=known["client_id"], client_secret=known.get("client_secret", ""))
    refresh = ["refresh_token"] if known.get("refresh") else []
    client.set_client_metadata(
        {
            "redirect_uris": known.get("redirect_uris", [redirect] if redirect else []),
            "grant_types": ["authorization_code", *refresh] if redirect else ["client_credentials"],
            "response_types": ["code"] if redirect else [],
            "scope": " ".join(known["scopes"]),
            "token_endpoint_auth_method": "client_secret_post" if "client_secret" in known else "none",
        }
    )
    session.add(client)
session.commit()


class User:
    def __init__(self, uuid):
        self.uuid = uuid

    def get_user_id(self):
        return self.uuid


class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        session.add(
            Code(
                code=code,
                client_id=request.client.client_id,
                redirect_uri=request.payload.redirect_uri,
                scope=request.payload.scope,
                user_id=request.user.uuid,
                code_challenge=data.get("code_challenge"),
                code_challenge_method=data.get("code_challenge_method"),
            )
        )
        session.commit()

    def query_authorization_code(self, code, client):
        found = session.query(Code).filter_by(code=code, client_id=client.client_id).first()
        if found and not found.is_expired():
            return found

    def delete_authorization_code(self, authorization_code):
        session.delete(authorization_code)
        session.commit()

    def authenticate_user(self, authorization_code):
        return User(authorization_code.user_id)


class RefreshTokenGrant(grants.RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def authenticate_refresh_token(self, refresh_token):
        token = session.query(Token).filter_by(refresh_token=refresh_token).first()
        if token and token.is_refresh_token_active():
            return token

    def authenticate_user(self, refresh_token):
        return User(refresh_token.user_id)

    def revoke_old_credential(self, refresh_token):
        refresh_token.refresh_token_revoked_at = int(clock.time.time())
        session.add(refresh_token)
        session.commit()


class ClientCredentialsGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class Proof(CodeChallenge):
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]


class Introspection(IntrospectionEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

    def check_permission(self, token, client, request):
        return True

    def query_token(self, token_string, token_type_hint):
        return create_query_token_func(session, Token)(token_string, token_type_hint)

    def introspect_token(self, token):
        return {
            "active": True,
            "client_id": token.client_id,
            "token_type": token.token_type,
            "username": names.get(token.user_id),
            "scope": token.get_scope(),
            "sub": token.user_id,
            "exp": token.issued_at + token.expires_in if token.expires_in else None,
            "iat": token.issued_at,
        }


class Revocation(create_revocation_endpoint(session, Token)):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]


def expires_in(client, grant_type):
    if grant_type == "client_credentials":
        return 0
    return 10 * HOUR if client.is_public() else 28 * DAY


def save_token(token, request):
    own = {key: value for key, value in token.items() if key not in ("username", "sub")}
    user_id = request.user.uuid if request.user else world["accounts"]["owner"]
    session.add(Token(client_id=request.client.client_id, user_id=user_id, **own))
    session.commit()


class Generator(BearerTokenGenerator):
    """Tells the account beside the token."""

    def generate(self, grant_type, client, user=None, *args, **kwargs):
        token = super().generate(grant_type, client, user, *args, **kwargs)
        uuid = user.uuid if user else world["accounts"]["owner"]
        return {**token, "username": names[uuid], "sub": uuid}


app = Flask(__name__)
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
server = AuthorizationServer(app, query_client=create_query_client_func(session, Client), save_token=save_token)
server.register_token_generator(
    "default", Generator(lambda **_: generate_token(42), lambda **_: generate_token(48), expires_in)
)
server.register_grant(AuthorizationCodeGrant, [Proof(required=True)])
server.register_grant(RefreshTokenGrant)
server.register_grant(ClientCredentialsGrant)
server.register_endpoint(Introspection)
server.register_endpoint(Revocation)

PAGE = """<!doctype html><title>Consent</title><form method="post">
<label>Account <input name="account"></label>
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>"""


@app.get("/oauth/authorize")
def ask():
    return PAGE


@app.post("/oauth/authorize")
def authorize():
    user = User(world["accounts"][request.form["account"]])
    try:
        grant = server.get_consent_grant(end_user=user)
    except OAuth2Error as error:
        return server.handle_error_response(server.create_oauth2_request(None), error)
    approved = request.form["decision"] == "approve"
    return server.create_authorization_response(grant=grant, grant_user=user if approved else None)


@app.post("/oauth/token")
def token():
    return server.create_token_response()


@app.post("/oauth/token/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.post("/oauth/token/introspect")
def introspect():
    return server.create_endpoint_response("introspection")


@app.get("/__clock")
def move():
    return clock.advance(float(request.args.get("advance", 0)))


@app.teardown_appcontext
def close(_):
    session.remove()


app.run(port=int(os.environ["PORT"]), threaded=True)

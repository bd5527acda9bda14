"""django-oauth-toolkit in the smallest Django project that it runs in."""

import datetime
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import clock  # noqa: E402, before anything that asks for the time

import django  # noqa: E402
from django.conf import settings  # noqa: E402
from django.utils import timezone  # noqa: E402

timezone.now = lambda: datetime.datetime.fromtimestamp(clock.time.time(), datetime.timezone.utc)

DAY = 24 * 3600
world = json.loads((Path(__file__).parent.parent / "world.json").read_text())

DECISION = """<!doctype html><title>Consent</title><form method="post">
{% for field in form %}{% if field.is_hidden %}{{ field }}{% endif %}{% endfor %}
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>"""

settings.configure(
    SECRET_KEY="a key for tests",
    ALLOWED_HOSTS=["*"],
    USE_TZ=True,
    ROOT_URLCONF=__name__,
    LOGIN_URL="/login",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": f"{tempfile.mkdtemp()}/django.db",
            "OPTIONS": {"timeout": 30, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF"},
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        __name__ + ".decided",
    ],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "loaders": [
                    (
                        "django.template.loaders.locmem.Loader",
                        {
                            "oauth2_provider/authorize.html": DECISION,
                            "oauth2_provider/base.html": "{% block content %}{% endblock %}",
                        },
                    ),
                    "django.template.loaders.app_directories.Loader",
                ]
            },
        }
    ],
    OAUTH2_PROVIDER={
        "SCOPES": {scope: scope for scope in world["scopes"]},
        "SCOPES_BACKEND_CLASS": __name__ + ".OwnScopes",
        "PKCE_REQUIRED": True,
        "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
        "AUTHORIZATION_CODE_EXPIRE_SECONDS": 30,
        "ACCESS_TOKEN_EXPIRE_SECONDS": 28 * DAY,
        # Counted from the end of the access token, so that both make 90 days.
        "REFRESH_TOKEN_EXPIRE_SECONDS": 62 * DAY,
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 0,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https"],
    },
)
sys.modules["server"] = sys.modules[__name__]
django.setup()

from django.contrib.auth import get_user_model, login  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpResponse, HttpResponseRedirect  # noqa: E402
from django.urls import path  # noqa: E402
from oauth2_provider import views  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.scopes import SettingsScopes  # noqa: E402


class OwnScopes(SettingsScopes):
    """Each application's own scopes, by the toolkit's hook for it."""

    def get_available_scopes(self, application=None, request=None, *args, **kwargs):
        if application is None:
            return super().get_available_scopes()
        return next(one["scopes"] for one in world["clients"].values() if one["client_id"] == application.client_id)

    get_default_scopes = get_available_scopes


def decided(get_response):
    """The toolkit's own button is called allow."""

    def middleware(request):
        request._dont_enforce_csrf_checks = True
        if request.method == "POST" and request.POST.get("decision") == "approve":
            request.POST = request.POST.copy()
            request.POST["allow"] = "Authorize"
        return get_response(request)

    return middleware


def sign_in(request):
    if request.method == "GET":
        return HttpResponse('<!doctype html><form method="post"><input name="account"><button>Sign in</button></form>')
    login(request, get_user_model().objects.get(username=request.POST["account"]))
    return HttpResponseRedirect(request.GET["next"])


def move(request):
    return HttpResponse(clock.advance(float(request.GET.get("advance", 0))))


urlpatterns = [
    path("oauth/authorize", views.AuthorizationView.as_view()),
    path("oauth/token", views.TokenView.as_view()),
    path("oauth/token/revoke", views.RevokeTokenView.as_view()),
    path("oauth/token/introspect", views.IntrospectTokenView.as_view()),
    path("login", sign_in),
    path("__clock", move),
]

call_command("migrate", verbosity=0)
users = {name: get_user_model().objects.create(username=name) for name in world["accounts"]}
Application = get_application_model()
for known in world["clients"].values():
    redirect = known.get("redirect_uri")
    Application.objects.create(
        client_id=known["client_id"],
        client_secret=known.get("client_secret", ""),
        hash_client_secret=False,
        client_type=Application.CLIENT_CONFIDENTIAL if "client_secret" in known else Application.CLIENT_PUBLIC,
        redirect_uris=" ".join(known.get("redirect_uris", [redirect] if redirect else [])),
        authorization_grant_type=(
            Application.GRANT_AUTHORIZATION_CODE if redirect else Application.GRANT_CLIENT_CREDENTIALS
        ),
        user=users["owner"],
    )
call_command("runserver", os.environ["PORT"], "--noreload", "--skip-checks")

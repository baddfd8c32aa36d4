"""A shop as Oscar's own documentation sets one up, with our payments."""

import json
import os
from pathlib import Path

import oscar
from oscar.defaults import *  # noqa: F403

FOLDER = Path(os.environ["SHOP_FOLDER"])
SECRET_KEY = "of a shop that is tried"
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
SITE_ID = 1
ROOT_URLCONF = "project.urls"
WSGI_APPLICATION = None
USE_TZ = True
LANGUAGE_CODE = "en-gb"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "/static/"
MEDIA_ROOT = FOLDER / "media"
MEDIA_URL = "/media/"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "loggers": {"django.request": {"level": "ERROR"}, "quittance_oscar": {"level": "CRITICAL"}},
}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
INSTALLED_APPS = [
    "project.checkout.apps.CheckoutConfig" if name.startswith("oscar.apps.checkout.") else name
    for name in oscar.INSTALLED_APPS
] + ["sorl.thumbnail", "quittance_oscar.apps.QuittanceConfig"]
SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": FOLDER / "shop.sqlite3",
    # Whoever writes holds the database: the same order of things as with rows locked.
    "OPTIONS": {"timeout": 60, "transaction_mode": "IMMEDIATE"},
}
DATABASES = {
    "default": {
        "ATOMIC_REQUESTS": False,
        # What SHOP_POSTGRESQL says as JSON (HOST, PORT, USER, PASSWORD, NAME) is a PostgreSQL.
        **(
            {"ENGINE": "django.db.backends.postgresql", **json.loads(os.environ["SHOP_POSTGRESQL"])}
            if "SHOP_POSTGRESQL" in os.environ
            else SQLITE
        ),
    }
}
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.apps.communication.notifications.context_processors.notifications",
                "oscar.core.context_processors.metadata",
            ]
        },
    }
]
AUTHENTICATION_BACKENDS = ["oscar.apps.customer.auth_backends.EmailBackend"]
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
OSCAR_DEFAULT_CURRENCY = "EUR"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_INITIAL_ORDER_STATUS = "Pending"
OSCAR_INITIAL_LINE_STATUS = "Pending"
OSCAR_ORDER_STATUS_PIPELINE = {
    "Pending": ("Being processed", "On hold", "Cancelled"),
    "On hold": ("Being processed", "Cancelled"),
    "Being processed": ("Complete", "On hold", "Cancelled"),
    "Complete": ("On hold",),
    "Cancelled": ("On hold",),
}
QUITTANCE = {
    "address": os.environ.get("QUITTANCE_URL", "http://127.0.0.1:9"),
    "key": os.environ.get("QUITTANCE_KEY", "key"),
    "secret": os.environ.get("QUITTANCE_SECRET", "secret"),
    "webhook_secret": os.environ.get("QUITTANCE_WEBHOOK_SECRET", "whsec_none"),
}

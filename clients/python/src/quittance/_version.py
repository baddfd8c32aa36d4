"""The version of the package; ``pyproject.toml`` reads it here."""

VERSION = "0.1.0"
__version__ = VERSION
#: Of the API, that this was generated for.
API_VERSION = "2026-11-25"

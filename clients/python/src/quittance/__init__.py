"""The client library of Quittance, a self-hostable crypto payment checkout service."""

from . import models, parameters, webhooks
from ._client import AsyncQuittance, Quittance
from ._errors import (
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    NetworkError,
    NotFoundError,
    QuittanceError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from ._options import AsyncClock, CallOptions, Clock
from ._pages import AsyncPages, Page, Pages
from ._resources import ReportDocument, ReportName
from ._sign import basic_value, sign_request
from ._simulated_payer import SimulatedPayer, simulated_payer
from ._version import API_VERSION, __version__

__all__ = [
    "API_VERSION",
    "AsyncClock",
    "AsyncPages",
    "AsyncQuittance",
    "AuthenticationError",
    "CallOptions",
    "Clock",
    "ConflictError",
    "ForbiddenError",
    "InvalidRequestError",
    "NetworkError",
    "NotFoundError",
    "Page",
    "Pages",
    "Quittance",
    "QuittanceError",
    "RateLimitError",
    "ReportDocument",
    "ReportName",
    "RequestTimeoutError",
    "ServerError",
    "SimulatedPayer",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "__version__",
    "basic_value",
    "models",
    "parameters",
    "sign_request",
    "simulated_payer",
    "webhooks",
]

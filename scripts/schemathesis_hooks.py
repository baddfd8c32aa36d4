# What the checker of npm run test:schemathesis cannot know from the document: how requests are
# signed (so that money-moving routes are reached as well), and which failures are honest answers.
import hashlib
import hmac
import os
import time
from urllib.parse import urlsplit

import schemathesis
from requests.auth import AuthBase

BASE_PATH = "/api/v1"
# The only reasons for a 503: nothing is connected here that could do it. Never "something is down".
HONEST = {"network_missing", "executor_missing", "exchange_missing", "rate_missing"}


class DigestOfTheService(AuthBase):
    def __call__(self, request):
        path = urlsplit(request.url).path.removeprefix(BASE_PATH)
        body = request.body or b""
        if isinstance(body, str):
            body = body.encode("utf-8")
        timestamp = str(int(time.time()))
        signed = f"{path}{timestamp}{request.method}".encode("utf-8")
        signed += b"" if request.method == "GET" else body
        secret = os.environ["QUITTANCE_SECRET"].encode("utf-8")
        request.headers.pop("X-Basic", None)
        request.headers["X-Digest-Key"] = os.environ["QUITTANCE_KEY"]
        request.headers["X-Digest-Timestamp"] = timestamp
        request.headers["X-Digest-Signature"] = hmac.new(secret, signed, hashlib.sha256).hexdigest()
        return request


schemathesis.auth.set_from_requests(DigestOfTheService())


@schemathesis.check
def known_answer(ctx, response, case):
    def header(name):
        value = response.headers.get(name, [None])
        return value[0] if isinstance(value, list) else value

    status = response.status_code
    code = header("x-error-code")
    assert header("x-request-id"), "an answer without X-Request-Id"
    # 304 says that what the asker has is still right (RFC 9110, section 15.4.5): it is no error.
    assert (status in (200, 304)) == (code is None), f"{status} with X-Error-Code {code}"
    if status in (429, 503):
        assert header("retry-after"), f"{status} {code} without Retry-After"
    if status >= 500:
        assert status == 503 and code in HONEST, f"{status} {code}"

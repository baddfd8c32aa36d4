import base64
import hashlib
import hmac
import time


# secret: whsec_... of the receiver. headers: names in lower case. body: the raw bytes as received.
def verify_webhook(secret: str, headers: dict, body: bytes, now: float | None = None) -> bool:
    timestamp = headers["webhook-timestamp"]
    if abs((now or time.time()) - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(f"v1,{expected}", one) for one in given)

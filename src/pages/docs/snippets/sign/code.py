import hashlib
import hmac


# path without /api/v1 and without the query; body as it is sent, empty for GET
def sign(secret: str, path: str, time: int, method: str, body: str = "") -> str:
    text = f"{path.lower()}{time}{method}{body}"
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()

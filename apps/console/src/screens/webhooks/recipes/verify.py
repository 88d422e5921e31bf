import base64
import hashlib
import hmac
import time


def is_authentic(secret, headers, body, now=None):
    """`body`: the bytes as they were received; `headers`: a mapping with names in lower case."""
    stamp = headers.get("webhook-timestamp", "")
    # An old request may be one that somebody recorded.
    if not stamp.isdecimal() or abs((now or time.time()) - int(stamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    own = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(signature, own) for signature in signatures])

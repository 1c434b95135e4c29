"""Is this notification from Florin? Standard Webhooks with nothing but Python."""
import base64
import hashlib
import hmac
import time

TOLERANCE_S = 300


# region: signature
def problem_of(headers, body, secrets, now_s=None):
    """None when it is signed and fresh, else what is wrong. body: the bytes as they came; secrets: all that are good now."""
    notification_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    now_s = time.time() if now_s is None else now_s
    if not timestamp.isdigit() or abs(now_s - int(timestamp)) > TOLERANCE_S:
        return "old"
    message = f"{notification_id}.{timestamp}.".encode() + body
    for secret in secrets:
        # after whsec_ stands base64; a secret of your own, without it, is the key as it is
        key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
        if key == b"":
            continue  # none is set: anybody could sign with it
        wanted = b"v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest())
        for given in headers.get("webhook-signature", "").split(" "):
            if hmac.compare_digest(given.encode(), wanted):
                return None
    return "forged"
# endregion

import json
import posix


def asked(text):
    """Sends a question as it is, past everything that checks it inside, and gives the answer."""
    body = text if isinstance(text, bytes) else text.encode()
    posix.write(3, len(body).to_bytes(4, "little") + body)
    return json.loads(posix.read(3, int.from_bytes(posix.read(3, 4), "little")))


def refusal(text):
    return asked(text)["refused"]



"""`hashlib.pbkdf2_hmac`, which CPython takes from OpenSSL; this build has none."""

import hashlib
import hmac


def install():
    hashlib.pbkdf2_hmac = pbkdf2_hmac


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """RFC 8018, section 5.2."""
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    keyed = hmac.new(password, None, hash_name)
    length = keyed.digest_size if dklen is None else dklen
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    blocks = range(1, -(-length // keyed.digest_size) + 1)
    return b"".join(_block(keyed, salt, number, iterations) for number in blocks)[:length]


def _block(keyed, salt, number, iterations):
    digest = _digest(keyed, bytes(salt) + number.to_bytes(4, "big"))
    total = int.from_bytes(digest, "big")
    for _ in range(iterations - 1):
        digest = _digest(keyed, digest)
        total ^= int.from_bytes(digest, "big")
    return total.to_bytes(keyed.digest_size, "big")


def _digest(keyed, data):
    twin = keyed.copy()
    twin.update(data)
    return twin.digest()

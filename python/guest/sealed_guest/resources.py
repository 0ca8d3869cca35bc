"""Read-only data that lies beside the image: packed modules and time zones. Kept out of the memory that is copied every turn."""

import posix

_RESOURCES = 5
_ABSENT = 0xFFFFFFFF


def read(name):
    """The bytes filed under `name`, or None."""
    posix.write(_RESOURCES, name.encode())
    length = int.from_bytes(posix.read(_RESOURCES, 4), "little")
    return None if length == _ABSENT else posix.read(_RESOURCES, length)

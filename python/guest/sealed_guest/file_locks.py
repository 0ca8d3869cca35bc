"""
The module `fcntl`: locks succeed at once, because files are objects of one call, which nobody else can hold. What sets
properties of descriptors of an operating system raises OSError (PY-45).
"""

import errno
import sys
import types

_CONSTANTS = {
    "LOCK_SH": 1, "LOCK_EX": 2, "LOCK_NB": 4, "LOCK_UN": 8,
    "F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_SETFL": 4, "F_GETLK": 5, "F_SETLK": 6, "F_SETLKW": 7,
    "F_RDLCK": 0, "F_WRLCK": 1, "F_UNLCK": 2, "FD_CLOEXEC": 1,
}  # fmt: skip


def install():
    """Adds the module, which this build of Python lacks."""
    module = types.ModuleType("fcntl", "Locks of files.")
    vars(module).update(_CONSTANTS, flock=_flock, lockf=_lockf, fcntl=_unsupported, ioctl=_unsupported)
    for function in (_flock, _lockf):
        function.__name__ = function.__qualname__ = function.__name__.strip("_")
    sys.modules["fcntl"] = module


def _flock(fd, operation, /):
    _descriptor(fd)


def _lockf(fd, cmd, len=0, start=0, whence=0, /):
    _descriptor(fd)


def _unsupported(fd, *rest):
    _descriptor(fd)
    raise OSError(errno.ENOSYS, "the sandbox has no descriptors of an operating system")


def _descriptor(fd):
    """Refuses what is neither a number nor a file, as the original does."""
    if not isinstance(fd, int) and not hasattr(fd, "write") and not hasattr(fd, "fileno"):
        raise TypeError("argument must be an int, or have a fileno() method.")
    if isinstance(fd, int) and fd < 0:
        raise ValueError(f"file descriptor cannot be a negative integer ({fd})")

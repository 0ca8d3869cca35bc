"""
The scratch files of one call (PY-40): a tree in memory below /tmp, empty at the start and gone at the end. Beside it lies, to be
read, what package_files.py has of wheels.
"""

import errno
import os
import posixpath
import time

HOME = "/tmp"
_ONLY_HERE = "the sandbox has private scratch files under /tmp and no others"


class File:
    """A file's bytes."""

    __slots__ = ("data", "modified")

    def __init__(self):
        self.data = bytearray()
        self.modified = time.time()

    @property
    def size(self):
        return len(self.data)


class Directory:
    """A folder: its entries by name, in the order of their making."""

    __slots__ = ("entries", "modified")

    def __init__(self):
        self.entries = {}
        self.modified = time.time()


root = Directory()
_working = HOME


def working_directory():
    return _working


def change_directory(path):
    global _working
    _working = absolute(path)


def clear():
    """Forgets every file. Most calls make none, and this runs after each."""
    global _working
    _working = HOME
    home = root.entries.get("tmp")
    if home is None or home.entries:
        root.entries["tmp"] = Directory()


def absolute(path):
    """The normal form of a path; a relative one begins at the working directory, /tmp at first."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError("embedded null byte")
    if not text:
        raise failure(errno.ENOENT, path)
    return posixpath.normpath(posixpath.join(_working, text)).replace("//", "/")


def find(path):
    """The file or directory at `path`."""
    where = absolute(path)
    node = root
    for name in where.split("/"):
        if not name:
            continue
        if not isinstance(node, Directory):
            raise failure(errno.ENOTDIR, path)
        if name not in node.entries:
            raise failure(errno.ENOENT, path) if is_inside(where) else failure(errno.ENOENT, path, _ONLY_HERE)
        node = node.entries[name]
    return node


def directory(path):
    node = find(path)
    if not isinstance(node, Directory):
        raise failure(errno.ENOTDIR, path)
    return node


def place(path):
    """Where an entry is made or removed: its directory and its name there."""
    where = absolute(path)
    if where in ("/", HOME):
        raise failure(errno.EISDIR, path)
    if not is_inside(where):
        raise failure(errno.EACCES, path, _ONLY_HERE)
    parent, name = posixpath.split(where)
    try:
        return directory(parent), name
    except OSError as error:
        raise failure(error.errno, path) from None


def is_inside(where):
    return where.startswith(HOME + "/")


def failure(code, path=None, reason=None):
    """The OSError of an error number."""
    return OSError(code, reason or os.strerror(code), path)

"""The scratch files of one call: a tree in memory below /tmp, empty at the start and gone at the end."""

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


class Directory:
    """A folder: its entries by name, in the order of their making."""

    __slots__ = ("entries", "modified")

    def __init__(self):
        self.entries = {}
        self.modified = time.time()


_root = Directory()


def clear():
    """Forgets every file. Most calls make none, and this runs after each."""
    home = _root.entries.get("tmp")
    if home is None or home.entries:
        _root.entries = {"tmp": Directory()}


def absolute(path):
    """The normal form of a path; a relative one begins at /tmp."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError("embedded null byte")
    if not text:
        raise failure(errno.ENOENT, path)
    return posixpath.normpath(posixpath.join(HOME, text)).replace("//", "/")


def find(path):
    """The file or directory at `path`."""
    where = absolute(path)
    node = _root
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
    return directory(parent), name


def is_inside(where):
    return where.startswith(HOME + "/")


def failure(code, path=None, reason=None):
    """The OSError of an error number."""
    return OSError(code, reason or os.strerror(code), path)

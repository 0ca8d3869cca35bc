"""Open scratch files: descriptors, and the `open` of user code."""

import errno
import io
import operator
import os
import time

from sealed_guest.scratch_tree import Directory, File, failure, find, place

_FIRST_DESCRIPTOR = 100
_descriptors = {}


class OpenFile:
    """A file with a position, as a descriptor stands for it."""

    __slots__ = ("file", "position", "readable", "writable", "appends")

    def __init__(self, file, flags):
        self.file = file
        self.position = 0
        access = flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
        self.readable = access != os.O_WRONLY
        self.writable = access != os.O_RDONLY
        self.appends = bool(flags & os.O_APPEND)

    def read(self, count):
        data = bytes(memoryview(self.file.data)[self.position : self.position + count])
        self.position += len(data)
        return data

    def write(self, data):
        content = self.file.data
        if self.appends:
            self.position = len(content)
        if self.position > len(content):
            content.extend(bytes(self.position - len(content)))
        content[self.position : self.position + len(data)] = data
        self.position += len(data)
        self.file.modified = time.time()
        return len(data)

    def seek(self, offset, whence=os.SEEK_SET):
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self.position, os.SEEK_END: len(self.file.data)}[whence]
        if start + offset < 0:
            raise failure(errno.EINVAL)
        self.position = start + offset
        return self.position

    def truncate(self, size):
        content = self.file.data
        del content[size:]
        content.extend(bytes(size - len(content)))
        self.file.modified = time.time()


def open_descriptor(path, flags):
    """Opens or makes a file. Returns its descriptor."""
    parent, name = (None, None)
    if flags & os.O_CREAT and os.fsdecode(path).endswith("/"):
        raise failure(errno.EISDIR, path)
    if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
        parent, name = place(path)
    if parent is not None and flags & os.O_CREAT and name not in parent.entries:
        parent.entries[name] = File()
    elif flags & os.O_CREAT and flags & os.O_EXCL:
        raise failure(errno.EEXIST, path)
    file = find(path)
    if isinstance(file, Directory):
        raise failure(errno.EISDIR, path)
    if flags & os.O_TRUNC:
        del file.data[:]
    descriptor = max(_descriptors, default=_FIRST_DESCRIPTOR - 1) + 1
    _descriptors[descriptor] = OpenFile(file, flags)
    return descriptor


def opened(descriptor):
    """The open file of a descriptor."""
    if descriptor not in _descriptors:
        raise failure(errno.EBADF)
    return _descriptors[descriptor]


def is_open(descriptor):
    return descriptor in _descriptors


def close(descriptor):
    opened(descriptor)
    del _descriptors[descriptor]


def close_all():
    _descriptors.clear()


class FileIO(io.RawIOBase):
    """A descriptor as the lowest layer of Python's files: `io.FileIO`, for scratch files."""

    def __init__(self, file, mode="r", closefd=True, opener=None):
        kinds = [letter for letter in mode if letter in _MODES]
        if len(kinds) != 1 or set(mode) - set("rwaxb+") or mode.count("+") > 1:
            raise ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
        kind, updates = kinds[0], "+" in mode
        self.name = file
        self.mode = ("r" if kind == "w" and updates else kind) + "b" + ("+" if updates else "")
        self.closefd = bool(closefd)
        self._descriptor = file if isinstance(file, int) else self._opened(file, kind, updates, opener)
        self._open = opened(self._descriptor)
        if kind == "a":
            self.seek(0, os.SEEK_END)

    def _opened(self, file, kind, updates, opener):
        if not self.closefd:
            raise ValueError("Cannot use closefd=False with file name")
        flags = _MODES[kind] | (os.O_RDWR if updates else os.O_RDONLY if kind == "r" else os.O_WRONLY)
        descriptor = opener(file, flags) if opener else open_descriptor(file, flags)
        if not isinstance(descriptor, int):
            raise TypeError("expected integer from opener")
        if descriptor < 0:
            raise ValueError(f"opener returned {descriptor}")
        return descriptor

    def readinto(self, target):
        self._checkClosed()
        if not self._open.readable:
            raise io.UnsupportedOperation("not readable")
        view = memoryview(target).cast("B")
        data = self._open.read(len(view))
        view[: len(data)] = data
        return len(data)

    def write(self, data):
        self._checkClosed()
        if not self._open.writable:
            raise io.UnsupportedOperation("not writable")
        return self._open.write(bytes(memoryview(data).cast("B")))

    def seek(self, offset, whence=os.SEEK_SET):
        self._checkClosed()
        return self._open.seek(operator.index(offset), whence)

    def truncate(self, size=None):
        self._checkClosed()
        if not self._open.writable:
            raise io.UnsupportedOperation("File not open for writing")
        size = self._open.position if size is None else size
        self._open.truncate(size)
        return size

    def fileno(self):
        self._checkClosed()
        return self._descriptor

    def readable(self):
        self._checkClosed()
        return self._open.readable

    def writable(self):
        self._checkClosed()
        return self._open.writable

    def seekable(self):
        self._checkClosed()
        return True

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle '_io.FileIO' object")

    def __repr__(self):
        about = "[closed]" if self.closed else f"name={self.name!r} mode={self.mode!r} closefd={self.closefd}"
        return f"<_io.FileIO {about}>"

    def isatty(self):
        self._checkClosed()
        return False

    def close(self):
        if not self.closed:
            super().close()
            if self.closefd and is_open(self._descriptor):
                close(self._descriptor)


def _check_mode(mode):
    letters = set(mode)
    if letters - set("rwaxbt+") or len(letters) != len(mode):
        raise ValueError(f"invalid mode: {mode!r}")
    if {"b", "t"} <= letters:
        raise ValueError("can't have text and binary mode at once")
    if len(letters & set(_MODES)) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")


_MODES = {"r": os.O_RDONLY, "w": os.O_CREAT | os.O_TRUNC, "a": os.O_CREAT | os.O_APPEND, "x": os.O_CREAT | os.O_EXCL}


def open_file(
    file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None
):
    """The builtin `open`, for scratch files."""
    _check_mode(mode)
    raw = FileIO(file, mode.replace("t", ""), closefd, opener)
    if "b" in mode and (encoding or errors or newline is not None):
        raise ValueError("binary mode doesn't take the arguments encoding, errors and newline")
    if buffering == 0:
        if "b" not in mode:
            raise ValueError("can't have unbuffered text I/O")
        return raw
    layer = io.BufferedRandom if "+" in mode else io.BufferedReader if "r" in mode else io.BufferedWriter
    buffer = layer(raw, buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE)
    if "b" in mode:
        return buffer
    text = io.TextIOWrapper(buffer, "UTF-8" if encoding in (None, "locale") else encoding, errors, newline, buffering == 1)
    text.mode = mode
    return text

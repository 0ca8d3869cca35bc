"""Open scratch files: descriptors, and the `open` of user code."""

import errno
import io
import os
import time

from frontdesk_guest.scratch_tree import Directory, File, failure, find, place

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


class _RawFile(io.RawIOBase):
    """A descriptor as the lowest layer of Python's files."""

    def __init__(self, descriptor, name, mode, closes):
        self._descriptor = descriptor
        self._open = opened(descriptor)
        self._closes = closes
        self.name = name
        self.mode = mode

    def readinto(self, target):
        if not self._open.readable:
            raise io.UnsupportedOperation("not readable")
        data = self._open.read(len(target))
        target[: len(data)] = data
        return len(data)

    def write(self, data):
        if not self._open.writable:
            raise io.UnsupportedOperation("not writable")
        return self._open.write(bytes(data))

    def seek(self, offset, whence=os.SEEK_SET):
        return self._open.seek(offset, whence)

    def truncate(self, size=None):
        size = self._open.position if size is None else size
        self._open.truncate(size)
        return size

    def fileno(self):
        return self._descriptor

    def readable(self):
        return self._open.readable

    def writable(self):
        return self._open.writable

    def seekable(self):
        return True

    def isatty(self):
        return False

    def close(self):
        if not self.closed:
            super().close()
            if self._closes and is_open(self._descriptor):
                close(self._descriptor)


_MODES = {"r": os.O_RDONLY, "w": os.O_CREAT | os.O_TRUNC, "a": os.O_CREAT | os.O_APPEND, "x": os.O_CREAT | os.O_EXCL}


def open_file(
    file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None
):
    """The builtin `open`, for scratch files."""
    kinds = [letter for letter in mode if letter in _MODES]
    if len(kinds) != 1 or set(mode) - set("rwaxbt+") or len(set(mode)) != len(mode) or {"b", "t"} <= set(mode):
        raise ValueError(f"invalid mode: {mode!r}")
    raw = _open_raw(file, mode, kinds[0], closefd, opener)
    if "b" in mode and (encoding or errors or newline is not None):
        raise ValueError("binary mode doesn't take the arguments encoding, errors and newline")
    if buffering == 0:
        if "b" not in mode:
            raise ValueError("can't have unbuffered text I/O")
        return raw
    layer = io.BufferedRandom if "+" in mode else io.BufferedReader if kinds[0] == "r" else io.BufferedWriter
    buffer = layer(raw, buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE)
    if "b" in mode:
        return buffer
    text = io.TextIOWrapper(buffer, "utf-8" if encoding in (None, "locale") else encoding, errors, newline, buffering == 1)
    text.mode = mode
    return text


def _open_raw(file, mode, kind, closes, opener):
    if isinstance(file, int):
        return _RawFile(file, file, mode, closes)
    access = os.O_RDWR if "+" in mode else os.O_RDONLY if kind == "r" else os.O_WRONLY
    flags = _MODES[kind] | access
    descriptor = opener(file, flags) if opener else open_descriptor(file, flags)
    raw = _RawFile(descriptor, file, mode, True)
    if kind == "a":
        raw.seek(0, os.SEEK_END)
    return raw

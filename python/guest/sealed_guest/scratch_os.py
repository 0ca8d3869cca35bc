"""The functions of `os` over the scratch files, so that pathlib, tempfile, shutil and zipfile work with them."""

import _io
import builtins
import errno
import functools
import io
import os
import posix
import stat as modes
import time

from sealed_guest import scratch_files
from sealed_guest.scratch_tree import (
    HOME,
    Directory,
    absolute,
    change_directory,
    clear,
    directory,
    failure,
    find,
    place,
    working_directory,
)

_DIRECTORY_MODE = modes.S_IFDIR | 0o700
_FILE_MODE = modes.S_IFREG | 0o600


def install():
    """Replaces `open` and what reaches for files in `os`."""
    io.FileIO = _io.FileIO = scratch_files.FileIO
    builtins.open = io.open = _io.open = _BuiltIn("_io", "open", scratch_files.open_file)
    for function in (_stat, _lstat, _fstat, _open, _close, _read, _write, _lseek, _ftruncate, _fsync, _listdir, _scandir,
                     _mkdir, _rmdir, _remove, _unlink, _rename, _replace, _access, _getcwd, _getcwdb, _chdir, _chmod,
                     _utime, _readlink, _truncate, _symlink, _link):  # fmt: skip
        name = function.__name__.removeprefix("_")
        setattr(os, name, _BuiltIn("os", name, function))
    os.DirEntry = _Entry
    start_afresh()


class _BuiltIn:
    """A function that is called as one of C: it is no method of a class that keeps it, and is pickled by its name."""

    def __init__(self, module, name, function):
        functools.update_wrapper(self, function)
        self.__module__ = module
        self.__name__ = self.__qualname__ = name

    def __call__(self, *args, **keywords):
        return self.__wrapped__(*args, **keywords)

    def __reduce__(self):
        return self.__name__

    def __repr__(self):
        return f"<built-in function {self.__name__}>"


def start_afresh():
    """No file is left, and none is open."""
    scratch_files.close_all()
    clear()


def _stat(path, *, dir_fd=None, follow_symlinks=True):
    if isinstance(path, int):
        return _fstat(path)
    return _describe(find(path))


def _lstat(path, *, dir_fd=None):
    return _stat(path)


def _fstat(descriptor):
    return _describe(scratch_files.opened(descriptor).file)


def _describe(node):
    is_directory = isinstance(node, Directory)
    size = 0 if is_directory else node.size
    mode = _DIRECTORY_MODE if is_directory else _FILE_MODE
    when = node.modified
    fields = (mode, id(node), 1, 1, 0, 0, size, int(when), int(when), int(when), when, when, when)
    return os.stat_result(fields + (int(when * 1e9),) * 3 + (io.DEFAULT_BUFFER_SIZE, -(-size // 512), 0))


def _open(path, flags, mode=0o777, *, dir_fd=None):
    return scratch_files.open_descriptor(path, flags)


def _close(descriptor):
    scratch_files.close(descriptor)


def _read(descriptor, count):
    return scratch_files.opened(descriptor).read(count)


def _write(descriptor, data):
    if not scratch_files.is_open(descriptor):
        return posix.write(descriptor, data)
    return scratch_files.opened(descriptor).write(bytes(data))


def _lseek(descriptor, position, whence):
    return scratch_files.opened(descriptor).seek(position, whence)


def _ftruncate(descriptor, length):
    scratch_files.opened(descriptor).truncate(length)


def _truncate(path, length):
    place(path)  # refuses what lies elsewhere
    scratch_files.OpenFile(find(path), os.O_RDWR).truncate(length)


def _fsync(descriptor):
    scratch_files.opened(descriptor)


def _listdir(path="."):
    return [_like(path, name) for name in directory(path).entries]


def _like(path, name):
    """The name as bytes where the path is."""
    return os.fsencode(name) if isinstance(os.fspath(path), bytes) else name


class _Entry:
    """What `scandir` yields."""

    __slots__ = ("name", "path", "_node")

    def __init__(self, folder, name, node):
        self.name = name
        self.path = os.path.join(folder, name)
        self._node = node

    def is_dir(self, *, follow_symlinks=True):
        return isinstance(self._node, Directory)

    def is_file(self, *, follow_symlinks=True):
        return not self.is_dir()

    def is_symlink(self):
        return False

    def is_junction(self):
        return False

    def inode(self):
        return id(self._node)

    def stat(self, *, follow_symlinks=True):
        return _describe(self._node)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Scan:
    """The iterator that `scandir` returns."""

    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    def close(self):
        self._entries = iter(())


def _scandir(path="."):
    folder = os.fspath(path)
    return _Scan([_Entry(folder, _like(folder, name), node) for name, node in directory(path).entries.items()])


def _mkdir(path, mode=0o777, *, dir_fd=None):
    if absolute(path) in ("/", HOME):
        raise failure(errno.EEXIST, path)
    parent, name = place(path)
    if name in parent.entries:
        raise failure(errno.EEXIST, path)
    parent.entries[name] = Directory()


def _rmdir(path, *, dir_fd=None):
    parent, name = place(path)
    if directory(path).entries:
        raise failure(errno.ENOTEMPTY, path)
    del parent.entries[name]


def _remove(path, *, dir_fd=None):
    parent, name = place(path)
    if isinstance(find(path), Directory):
        raise failure(errno.EISDIR, path)
    del parent.entries[name]


def _unlink(path, *, dir_fd=None):
    _remove(path)


def _replace(source, target, *, src_dir_fd=None, dst_dir_fd=None):
    parent, name = place(source)
    node = find(source)
    target_parent, target_name = place(target)
    there = target_parent.entries.get(target_name)
    if isinstance(there, Directory) and (not isinstance(node, Directory) or there.entries):
        raise failure(errno.ENOTEMPTY if isinstance(node, Directory) else errno.EISDIR, target)
    if absolute(target).startswith(absolute(source) + "/"):
        raise failure(errno.EINVAL, target)
    del parent.entries[name]
    target_parent.entries[target_name] = node


def _rename(source, target, *, src_dir_fd=None, dst_dir_fd=None):
    _replace(source, target)


def _access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    try:
        find(path)
        return True
    except OSError:
        return False


def _getcwd():
    return working_directory()


def _getcwdb():
    return working_directory().encode()


def _chdir(path):
    directory(path)
    change_directory(path)


def _chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    find(path)


def _utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    place(path)  # refuses what lies elsewhere
    node = find(path)
    node.modified = times[1] if times else ns[1] / 1e9 if ns else time.time()


def _readlink(path, *, dir_fd=None):
    find(path)
    raise failure(errno.EINVAL, path)


def _symlink(source, target, target_is_directory=False, *, dir_fd=None):
    raise failure(errno.EPERM, target, "the sandbox has no links")


def _link(source, target, **_options):
    raise failure(errno.EPERM, target, "the sandbox has no links")

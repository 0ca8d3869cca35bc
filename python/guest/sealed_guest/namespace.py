"""The module that user code runs in: its globals and builtins."""

import builtins
import sys
import types

from sealed_guest import program, standard_library

_ready = {}
_ahead = []


def install(logger):
    """Prepares, once, what is the same for every module."""
    _ready.update(program.current.globals(logger), **_new_module().__dict__, __builtins__=_user_builtins())


def create(filename, live):
    """A fresh module for one file, registered under its name, with the globals `live` beside those of the program."""
    module = _ahead.pop() if _ahead else _new_module()
    names = module.__dict__
    names.update(live)
    names["__file__"] = filename
    sys.modules[program.current.module_name] = module
    return module


def is_given(name):
    """Whether user code finds the name without defining it."""
    return name in _ready


def make_ahead():
    """Makes the next run's module before there is a run."""
    _ahead.append(_new_module())


def is_made_ahead():
    """Whether the next run is the first since the interpreter was made ready."""
    return bool(_ahead)


def _new_module():
    module = types.ModuleType(program.current.module_name)
    if _ready:
        names = module.__dict__
        names.clear()  # an empty dict takes over another whole, which is faster than name by name
        names.update(_ready)
    return module


def _user_builtins():
    names = dict(builtins.__dict__)
    names["__import__"] = _import
    names["input"] = _input
    return names


_builtin_import = builtins.__import__


def _import(name, globals=None, locals=None, fromlist=(), level=0):
    if level == 0 and name.partition(".")[0] in standard_library.REFUSED:
        raise ModuleNotFoundError(standard_library.explain(name), name=name)
    return _builtin_import(name, globals, locals, fromlist, level)


def _input(*_positional):
    raise EOFError("the sandbox has no keyboard")

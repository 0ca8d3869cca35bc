"""The globals `tools` and `async_tools`: other tools of the app, by display name."""

import re

from sealed_guest import channel
from frontdesk_guest.responses import ResponseFuture, response_of


class _ToolNames:
    """
    Resolves attribute access to a tool's display name (PY-25); a character that Python cannot spell may be written as `_`, and a run
    of underscores as one where a single tool fits (TSET-12). Without names (a file is only looked at, for whatever app) every name is
    one.
    """

    __slots__ = ("_names",)

    def __init__(self, names):
        self._names = names

    def _resolve(self, asked):
        if self._names is None and not asked.startswith("__") or asked in (self._names or ()):
            return asked
        for name in self._names or ():
            if _spelled(name) == asked:
                return name
        matching = [name for name in self._names or () if _collapsed(_spelled(name)) == _collapsed(asked)]
        if len(matching) == 1:
            return matching[0]
        known = ", ".join(sorted(self._names or ())) or "none"
        raise AttributeError(f"there is no tool named {asked!r}; the tools of this app are: {known}")

    def __dir__(self):
        return sorted(_spelled(name) for name in self._names or ())


def _spelled(name):
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def _collapsed(name):
    """Runs of underscores as one."""
    return re.sub("__+", "_", name) if "__" in name else name


class Tools(_ToolNames):
    """`tools.NAME(args)` runs a tool and waits for its answer (PY-23)."""

    __slots__ = ()

    def __getattr__(self, asked):
        name = self._resolve(asked)

        def call(*positional, **keyword):
            return response_of(channel.call("tool", {"name": name, "args": _arguments(name, positional, keyword)}))

        call.__name__ = asked
        return call

    __getitem__ = __getattr__


class AsyncTools(_ToolNames):
    """`async_tools.NAME(args)` starts a tool (PY-26); calling what it returns waits for the answer."""

    __slots__ = ()

    def __getattr__(self, asked):
        name = self._resolve(asked)

        def start(*positional, **keyword):
            return ResponseFuture(channel.start("tool", {"name": name, "args": _arguments(name, positional, keyword)}))

        start.__name__ = asked
        return start

    __getitem__ = __getattr__


def _arguments(name, positional, keyword):
    if len(positional) > 1 or positional and not isinstance(positional[0], dict):
        raise TypeError(f"tools.{name}() takes one dict of arguments, or keyword arguments")
    return {**(positional[0] if positional else {}), **keyword}

"""What a user's module finds without importing it."""

import builtins
import sys
import types
import typing

from frontdesk_guest import standard_library
from frontdesk_guest.content import Blob, Content, FunctionCall, FunctionResponse, Part
from frontdesk_guest.context import CallbackContext, ToolContext
from frontdesk_guest.events import Event, EventActions
from frontdesk_guest.http_requests import Requests
from frontdesk_guest.language_model import (
    FunctionDeclaration,
    GenerateContentConfig,
    LlmRequest,
    LlmResponse,
    Tool,
    ToolDeclaration,
)
from frontdesk_guest.responses import ExternalResponse, HttpMethod, StatusError
from frontdesk_guest.tools import AsyncTools, Tools

MODULE_NAME = "agent_code"

# Globals of every file (PY-6).
PLATFORM_CLASSES = (
    AsyncTools, Blob, CallbackContext, Content, Event, EventActions, ExternalResponse, FunctionCall, FunctionDeclaration,
    FunctionResponse, GenerateContentConfig, HttpMethod, LlmRequest, LlmResponse, Part, Requests, StatusError, Tool,
    ToolContext, Tools, ToolDeclaration,
)  # fmt: skip

_TYPING_NAMES = """
    AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable Callable
    ClassVar Collection Concatenate Container ContextManager Coroutine DefaultDict Deque Dict Final FrozenSet Generator
    Generic Hashable IO ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping Match MutableMapping
    MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional ParamSpec Pattern Protocol Required
    Reversible Self Sequence Set Sized SupportsFloat SupportsInt TYPE_CHECKING Text Tuple Type TypeAlias TypedDict TypeGuard
    TypeVar Union Unpack ValuesView cast get_args get_origin get_type_hints overload runtime_checkable
""".split()


def create(filename, context, tool_names):
    """A fresh module for one file, registered under its name, with the platform's classes and globals in it (PY-7, PY-8)."""
    module = _ahead.pop() if _ahead else _new_module()
    live = _live_globals(context, tool_names)
    for prefix in _prefixes:
        prefix.__dict__.update(live)
    names = module.__dict__
    names.update(live)
    names["__file__"] = filename
    sys.modules[MODULE_NAME] = module
    return module


def make_ahead():
    """Makes the next run's module before there is a run."""
    _ahead.append(_new_module())


def is_made_ahead():
    """Whether the next run is the first since the interpreter was made ready."""
    return bool(_ahead)


def _new_module():
    module = types.ModuleType(MODULE_NAME)
    names = module.__dict__
    names.clear()  # an empty dict takes over another whole, which is faster than name by name
    names.update(_ready)
    return module


def install(logger):
    """Prepares, once, what is the same for every module."""
    classes = {cls.__name__: cls for cls in PLATFORM_CLASSES}
    for cls in PLATFORM_CLASSES:
        cls.__module__ = "ces_public"
    lasting = {**classes, "logger": logger, "ces_requests": Requests()}
    for name in ("ces_public", "ces_internal"):
        prefix = types.ModuleType(name)
        prefix.__dict__.update(lasting)
        sys.modules[name] = prefix
        _prefixes.append(prefix)
        _ready[name] = prefix
    _ready.update({name: getattr(typing, name) for name in _TYPING_NAMES})
    _ready.update(lasting, **types.ModuleType(MODULE_NAME).__dict__, __builtins__=_user_builtins())


_prefixes = []
_ready = {}
_ahead = []


def _live_globals(context, tool_names):
    return {
        "context": context,
        "get_variable": context.get_variable,
        "set_variable": context.set_variable,
        "remove_variable": context.remove_variable,
        "tools": Tools(tool_names),
        "async_tools": AsyncTools(tool_names),
    }


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

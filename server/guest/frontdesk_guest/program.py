"""The program of sealed Python that this server embeds: globals, arguments of tools and callbacks, changes of variables."""

import importlib
import sys
import types
import typing

from frontdesk_guest.changes import NO_CHANGE, edits, variable_changes
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
from sealed_guest.json_values import add_form, decode, encode
from sealed_guest.program import Call, Program

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

_SUPPLIED = "it is there only when the operator of the server supplies its wheel (FRONTDESK_PYTHON_WHEELS)"
_NATIVE = f"its core is native code, and {_SUPPLIED}"
_PLATFORM = "the platform's classes are globals and need no import"

# Modules under whose names the platform's classes and globals can be reached, too.
_prefixes = [types.ModuleType(name) for name in ("ces_public", "ces_internal")]


class FrontdeskProgram(Program):
    module_name = "agent_code"
    logger_name = "agent"
    http_advice = "use `ces_requests` or urllib.request"
    concurrency_advice = "`async_tools` and `ces_requests.async_get` run side by side; asyncio and concurrent.futures work on one"
    package_advice = {
        "requests": "use the global `ces_requests`, or urllib.request",
        "httpx": "use the global `ces_requests`, or urllib.request",
        "aiohttp": "use the global `ces_requests`",
        "pytz": "use the standard zoneinfo module",
        "dateutil": "use the standard datetime and zoneinfo modules",
        "pandas": _NATIVE,
        "numpy": f"{_NATIVE}; without it use the standard math and statistics modules",
        "pydantic": f"{_NATIVE}; without it use dataclasses",
        "google.protobuf": _SUPPLIED,
        "google.adk": _PLATFORM,
        "google.genai": _PLATFORM,
        "google": f"{_PLATFORM}, and google.protobuf: {_SUPPLIED}",
        "ces": _PLATFORM,
    }

    def globals(self, logger):
        """The platform's classes, modules (PY-57) and names of `typing` (PY-7)."""
        for cls in PLATFORM_CLASSES:
            cls.__module__ = "ces_public"
        names = {cls.__name__: cls for cls in PLATFORM_CLASSES}
        requests = Requests()
        names |= {"logger": logger, "ces_requests": requests, "requests": requests, "importlib": importlib}
        for prefix in _prefixes:
            prefix.__dict__.update(names)
            sys.modules[prefix.__name__] = prefix
        add_form(_guardrail_decision)
        return {
            **{prefix.__name__: prefix for prefix in _prefixes},
            **{name: getattr(typing, name) for name in _TYPING_NAMES},
            **names,
        }

    def begin(self, fields, variables, *texts):
        """
        `variables` and the values of positional arguments are JSON texts, parsed when code looks at them. After them come the last items of
        each of the call's `lists`, as `open_list` takes them: the events, and the contents of requests.
        """
        described = fields["positional"]
        last_items = len(described)  # where the lists begin
        kind = ToolContext if "function_call_id" in fields["context"] else CallbackContext
        context = kind._from_request(fields["context"], variables, (0, fields["lists"][0], texts[last_items]))
        positional, watched = [], []
        for index, argument in enumerate(described):
            text = texts[index]
            match argument["kind"]:
                case "callback-context":
                    positional.append(context)
                    continue
                case "llm-request":
                    number = argument["contents"]
                    sent = number, fields["lists"][number], texts[last_items + number]
                    value, before = LlmRequest._with_contents(text, sent), text
                case "llm-response":
                    value, before = LlmResponse._from_text(text), text
                case "tool":
                    positional.append(Tool(name=argument["name"], description=argument["description"]))
                    continue
                case _:
                    value = decode(text)
                    before = encode(value)
            positional.append(value)
            watched.append((index, value, before))
        return _ContextCall(context, fields["tools"], variables, positional, watched)

    def begin_inspection(self):
        """Loading a file has an empty context, and takes any tool for one that exists."""
        return Call(_live_globals(CallbackContext(variables={}), None))


class _ContextCall(Call):
    """A call of a tool or a callback with its context."""

    __slots__ = ("_context", "_variables", "_watched")

    def __init__(self, context, tool_names, variables, positional, watched):
        self.globals = _live_globals(context, tool_names)
        self.positional = positional
        self._context = context
        self._variables = variables
        self._watched = watched  # see `edits`

    def result(self, value):
        if isinstance(value, tuple) and "decision" in getattr(value, "_fields", ()):
            return value._asdict()
        return value

    def report(self, returned):
        """What changed: `state`, also before an exception (PY-33), and after a return `edited`, the positional arguments by index."""
        changes, problems = variable_changes(self._context, self._variables)
        if not returned:
            return None if changes is NO_CHANGE else {"state": changes}
        if problems:
            raise TypeError("; ".join(problems))
        edited = edits(self._watched)
        return None if changes is NO_CHANGE and not edited else {"edited": edited, "state": changes}


def _live_globals(context, tool_names):
    """Globals of one call (PY-8)."""
    live = {
        "context": context,
        "get_variable": context.get_variable,
        "set_variable": context.set_variable,
        "remove_variable": context.remove_variable,
        "tools": Tools(tool_names),
        "async_tools": AsyncTools(tool_names),
    }
    for prefix in _prefixes:
        prefix.__dict__.update(live)
    return live


def _guardrail_decision(value):
    """What a guardrail's code may return: an object with a decision and a reason."""
    if hasattr(value, "decision"):
        return {"decision": value.decision, "reason": getattr(value, "reason", None)}
    return None


program = FrontdeskProgram()

"""One entry call: load the file, find the function, call it, tell what came back and what changed."""

import inspect
import marshal
import types
import typing

from frontdesk_guest import namespace, output, scratch_os
from frontdesk_guest.changes import NO_CHANGE, Watched, variable_changes
from frontdesk_guest.coercion import coerce_or_keep
from frontdesk_guest.compiling import compile_source
from frontdesk_guest.context import CallbackContext, ToolContext
from frontdesk_guest.failures import causes, describe, type_name
from frontdesk_guest.json_values import decode, encode
from frontdesk_guest.language_model import LlmRequest, LlmResponse, Tool

RESULT_LIMIT = 1 << 20

# What most callbacks answer: nothing came back, and nothing changed.
_NOTHING = encode({"kind": "returned", "value": None, "returnType": "None", "edited": [], "state": NO_CHANGE})

_PLAIN = (str, int, bool, dict, list, typing.Any)


def run(head, variables, events, source, code, *values):
    """Serves the operation `run`. The texts are JSON as the host sent it; `code` is the marshalled module."""
    kind = ToolContext if "function_call_id" in head["context"] else CallbackContext
    context = kind._from_request(head["context"], variables, events)
    arguments = [_argument(one, context, text) for one, text in zip(head["positional"], values)]
    function = None
    try:
        module = namespace.create(head["filename"], context, head["tools"])
        module.__loader__ = _SourceOf(source)
        exec(marshal.loads(code), module.__dict__)
        function = _entry(module, head)
        value = _call(function, [one.value for one in arguments], head["keyword"])
        return _returned(value, context, variables, arguments)
    except BaseException as error:  # whatever the user's code raises is an outcome
        return _raised(error, head["filename"], function, context, variables)
    finally:
        scratch_os.start_afresh()
        output.flush()


def load(filename, source):
    """Executes a file in a fresh module with an empty context. Returns the module."""
    context = CallbackContext(variables={})
    module = namespace.create(filename, context, None)
    exec(compile_source(source, filename), module.__dict__)
    return module


class _SourceOf:
    """Lets tracebacks that the user's own code formats show source lines."""

    def __init__(self, source):
        self._source = source

    def get_source(self, _name):
        return self._source.decode(errors="replace")


def _argument(described, context, text):
    kind = described["kind"]
    if kind == "callback-context":
        return Watched(context)
    if kind == "tool":
        return Watched(Tool(name=described["name"], description=described["description"]))
    if kind == "llm-request":
        return Watched(LlmRequest._from_text(text), text)
    if kind == "llm-response":
        return Watched(LlmResponse._from_text(text), text)
    return Watched(decode(text))


def _entry(module, head):
    name = head["entry"]
    if name:
        function = module.__dict__.get(name)
        if callable(function) and name not in namespace._ready:
            return function
        defined = ", ".join(_functions(module, head["filename"])) or "none"
        raise NameError(f"the file defines no function named {name!r}; its functions are: {defined}")
    for function in _functions(module, head["filename"]).values():
        return function
    raise NameError("the file defines no function")


def _functions(module, filename):
    return {
        name: value
        for name, value in module.__dict__.items()
        if isinstance(inspect.unwrap(value) if callable(value) else value, types.FunctionType)
        and inspect.unwrap(value).__code__.co_filename == filename
    }


def _call(function, positional, keyword):
    if keyword:
        keyword = _coerced(function, keyword)
        positional = [*positional, *_positional_only(function, keyword)]
    value = function(*positional, **keyword)
    if not inspect.iscoroutine(value):
        return value
    import asyncio  # large, and few need it

    return asyncio.run(value)


def _positional_only(function, keyword):
    """Takes the arguments out of `keyword` that the function accepts by position alone, and returns them in their order."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or not code.co_posonlyargcount:
        return []
    taken = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not parameter.POSITIONAL_ONLY or (name not in keyword and parameter.default is parameter.empty):
            break
        taken.append(keyword.pop(name, parameter.default))
    return taken


def _coerced(function, keyword):
    annotations = getattr(function, "__annotations__", None)
    if not annotations or all(annotation in _PLAIN[:3] for annotation in annotations.values()):
        return {name: _integral(value, annotations and annotations.get(name)) for name, value in keyword.items()}
    try:
        annotations = typing.get_type_hints(function, include_extras=True)
    except Exception:
        pass  # an annotation that cannot be evaluated says nothing
    return {name: coerce_or_keep(value, annotations.get(name, typing.Any)) for name, value in keyword.items()}


def _integral(value, annotation):
    return int(value) if annotation is int and isinstance(value, float) and value.is_integer() else value


def _returned(value, context, variables, arguments):
    changes, problems = variable_changes(context, variables)
    if problems:
        raise TypeError("; ".join(problems))
    if isinstance(value, tuple) and "decision" in getattr(value, "_fields", ()):
        value = value._asdict()
    edited = [[index, one.value] for index, one in enumerate(arguments) if one.is_edited()]
    if value is None and changes is NO_CHANGE and not edited:
        return _NOTHING
    result = {"kind": "returned", "value": value, "returnType": _type_name(value), "edited": edited, "state": changes}
    text = encode(result)
    if len(text) > RESULT_LIMIT:
        raise ValueError(f"the result has {len(text)} bytes as JSON; the limit is {RESULT_LIMIT}")
    return text


def _type_name(value):
    return "None" if value is None else type_name(type(value))


def _raised(error, filename, function, context, variables):
    failure = describe(error, filename, function)
    for cause in causes(error, filename):
        output.complain(f"caused by {cause}")
    failure["state"] = variable_changes(context, variables)[0]  # what was written before counts (PY-33)
    text = encode(failure)
    if len(text) > RESULT_LIMIT:
        failure["state"] = NO_CHANGE
        text = encode(failure)
    return text

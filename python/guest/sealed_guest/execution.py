"""One entry call: load the file, find the function, call it, tell what came back."""

import inspect
import marshal
import types
import typing

from sealed_guest import namespace, output, program, scratch_os
from sealed_guest.coercion import coerce_or_keep
from sealed_guest.compiling import compile_source
from sealed_guest.failures import causes, describe, type_name
from sealed_guest.json_values import encode

RESULT_LIMIT = 1 << 20

# What most callbacks answer: nothing came back, and there is nothing to report.
_NOTHING = encode({"kind": "returned", "value": None, "returnType": "None", "report": None})

_PLAIN = (str, int, bool, dict, list, typing.Any)


def run(head, source, code, *segments):
    """Serves the operation `run`. `code` is the marshalled module; what the segments hold the program knows."""
    call = program.current.begin(head["input"], *segments)
    function = None
    try:
        module = namespace.create(head["filename"], call.globals)
        module.__loader__ = _SourceOf(source)
        exec(marshal.loads(code), module.__dict__)
        function = _entry(module, head)
        value = _call(function, call.positional, head["keyword"])
        return _returned(value, call)
    except BaseException as error:  # whatever the user's code raises is an outcome
        return _raised(error, head["filename"], function, call)
    finally:
        scratch_os.start_afresh()
        output.flush()


def load(filename, source):
    """Executes a file in a fresh module, to look at it. Returns the module."""
    module = namespace.create(filename, program.current.begin_inspection().globals)
    exec(compile_source(source, filename), module.__dict__)
    return module


class _SourceOf:
    """Lets tracebacks that the user's own code formats show source lines."""

    def __init__(self, source):
        self._source = source

    def get_source(self, _name):
        return self._source.decode(errors="replace")


def _entry(module, head):
    name = head["entry"]
    if name:
        function = module.__dict__.get(name)
        if callable(function) and not namespace.is_given(name):
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


def _returned(value, call):
    value = call.result(value)
    report = call.report(True)
    if value is None and report is None:
        return _NOTHING
    result = encode(value)
    if len(result) > RESULT_LIMIT:
        raise ValueError(f"the result has {len(result)} bytes as JSON; the limit is {RESULT_LIMIT}")
    return f'{{"kind":"returned","value":{result},"returnType":{encode(_type_name(value))},"report":{encode(report)}}}'


def _type_name(value):
    return "None" if value is None else type_name(type(value))


def _raised(error, filename, function, call):
    failure = describe(error, filename, function)
    for cause in causes(error, filename):
        output.complain(f"caused by {cause}")
    try:
        return encode({**failure, "report": call.report(False)})
    except Exception as problem:  # the report has a limit of its own
        if str(problem) != str(error):
            output.complain(f"what the code changed before is lost: {problem}")
        return encode({**failure, "report": None})

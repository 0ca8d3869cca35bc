"""What a file defines, or why it does not load, found without calling its functions."""

import ast
import inspect
import types
import typing

from sealed_guest import docstrings, execution, output
from sealed_guest.compiling import parse_source
from sealed_guest.failures import describe
from sealed_guest.json_values import encode, is_json
from sealed_guest.schemas import schema_of

_FUNCTION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef)

_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword-only",
    inspect.Parameter.VAR_POSITIONAL: "var-positional",
    inspect.Parameter.VAR_KEYWORD: "var-keyword",
}


def inspect_source(head, source):
    """Serves the operation `inspect`."""
    filename = head["filename"]
    try:
        tree = parse_source(source, filename)
        names = execution.load(filename, source).__dict__
        functions = [_function(node, name, names[name]) for node, name in _definitions(tree, names, filename)]
        return encode({"kind": "module", "functions": functions})
    except BaseException as error:  # whatever loading raises is what is wrong with the file
        return encode(_broken(error, filename))
    finally:
        output.flush()


def _definitions(tree, names, filename):
    """(node, name) of every function of the file's own that it leaves behind at its top level, in the order of the file."""
    found = {}
    for node in _statements(tree.body):
        if isinstance(node, _FUNCTION_NODES):
            found.setdefault(node.name, node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and _is_of(filename, names.get(target.id)):
                    found.setdefault(target.id, node)
    return [(node, name) for name, node in found.items() if callable(names.get(name))]


def _is_of(filename, value):
    return isinstance(value, types.FunctionType) and inspect.unwrap(value).__code__.co_filename == filename


def _statements(body):
    """The statements of a body, those inside `if`, `try`, `with` and loops too."""
    for node in body:
        yield node
        if isinstance(node, (*_FUNCTION_NODES, ast.ClassDef)):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, field, ()))
        for handler in getattr(node, "handlers", ()):
            yield from _statements(handler.body)


def _broken(error, filename):
    failure = describe(error, filename)
    place = failure["frames"][-1] if failure["frames"] else {"line": 1, "column": 1}
    return {
        "kind": "broken",
        "type": failure["type"],
        "message": failure["message"],
        "line": place["line"],
        "column": place["column"],
    }


def _function(node, name, function):
    docstring = _docstring(node, function)
    summary, descriptions = docstrings.parse(docstring)
    hints, unresolved = _hints(function)
    written = _written(node)
    returns = getattr(node, "returns", None)
    return {
        "name": name,
        "line": node.lineno,
        "column": node.col_offset + 1,
        "docstring": docstring,
        "parameters": [
            _parameter(parameter, hints, unresolved, written.get(parameter.name, node), descriptions)
            for parameter in _parameters(function)
        ],
        "returns": ast.unparse(returns) if returns else "",
        "returnSchema": schema_of(hints["return"]) if "return" in hints else {},
        "summary": summary,
    }


def _docstring(node, function):
    if isinstance(node, _FUNCTION_NODES):
        return ast.get_docstring(node) or ""
    return inspect.getdoc(function) or ""


def _parameters(function):
    try:
        return inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a callable that does not tell its parameters
        return ()


def _hints(function):
    """The annotations as types, each by itself, and the names of those that cannot be resolved."""
    function = inspect.unwrap(function)
    annotations = getattr(function, "__annotations__", {})
    names = getattr(function, "__globals__", {})
    hints, unresolved = {}, set()
    for name, annotation in annotations.items():
        try:
            holder = types.SimpleNamespace(__annotations__={name: annotation})
            hints[name] = typing.get_type_hints(holder, names, include_extras=True)[name]
        except Exception:
            unresolved.add(name)
    return hints, unresolved


def _written(node):
    """The parameters of a definition as they stand in the file, by name."""
    if not isinstance(node, _FUNCTION_NODES):
        return {}
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {one.arg: one for one in every if one is not None}


def _parameter(parameter, hints, unresolved, written, descriptions):
    schema = schema_of(hints[parameter.name]) if parameter.name in hints else {}
    has_default = parameter.default is not inspect.Parameter.empty
    annotation = getattr(written, "annotation", None)
    described = {
        "name": parameter.name,
        "kind": _KINDS[parameter.kind],
        "line": written.lineno,
        "column": written.col_offset + 1,
        "schema": schema,
        "annotation": ast.unparse(annotation) if annotation else "",
        "unresolved": parameter.name in unresolved,
        "hasDefault": has_default,
        "description": descriptions.get(parameter.name) or schema.get("description", ""),
    }
    if has_default and is_json(parameter.default):
        described["default"] = parameter.default
    return described

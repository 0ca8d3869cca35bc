"""What a file defines, or why it does not load, found without calling its functions."""

import ast
import inspect
import typing

from frontdesk_guest import docstrings, execution, output
from frontdesk_guest.failures import describe
from frontdesk_guest.json_values import encode
from frontdesk_guest.schemas import schema_of

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
        tree = ast.parse(source, filename)
        module = execution.load(filename, source)
        functions = [
            _function(node, module.__dict__[node.name])
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and callable(module.__dict__.get(node.name))
        ]
        return encode({"kind": "module", "functions": functions})
    except BaseException as error:  # whatever loading raises is what is wrong with the file
        return encode(_broken(error, filename))
    finally:
        output.flush()


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


def _function(node, function):
    summary, descriptions = docstrings.parse(ast.get_docstring(node))
    hints = _hints(function)
    written = _written_annotations(node)
    return {
        "name": node.name,
        "line": node.lineno,
        "docstring": ast.get_docstring(node) or "",
        "parameters": [
            _parameter(parameter, hints, written, descriptions)
            for parameter in inspect.signature(function).parameters.values()
        ],
        "returns": ast.unparse(node.returns) if node.returns else "",
        "returnSchema": schema_of(hints["return"]) if "return" in hints else {},
        "summary": summary,
    }


def _hints(function):
    function = inspect.unwrap(function)
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:
        return getattr(function, "__annotations__", {})


def _written_annotations(node):
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {one.arg: ast.unparse(one.annotation) for one in every if one is not None and one.annotation is not None}


def _parameter(parameter, hints, written, descriptions):
    schema = schema_of(hints[parameter.name]) if parameter.name in hints else {}
    has_default = parameter.default is not inspect.Parameter.empty
    described = {
        "name": parameter.name,
        "kind": _KINDS[parameter.kind],
        "schema": schema,
        "annotation": written.get(parameter.name, ""),
        "hasDefault": has_default,
        "description": descriptions.get(parameter.name) or schema.get("description", ""),
    }
    if has_default and _is_json(parameter.default):
        described["default"] = parameter.default
    return described


def _is_json(value):
    try:
        encode(value)
        return True
    except (TypeError, ValueError, RecursionError):
        return False

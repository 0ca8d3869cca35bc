"""Runs in the guest: what the platform offers and the stubs do not, and the other way round."""

import ast
import inspect


def f(stub: str) -> list:
    tree = ast.parse(stub)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    names = {*classes, *(name for node in tree.body for name in names_of(node))}
    platform = {name for name in vars(ces_public) if not name.startswith("_")} | {"ces_public", "ces_internal"}
    differences = sorted(platform - names) + sorted(name for name in names - platform if not name.startswith("_"))
    for name, node in classes.items():
        cls = globals().get(name)
        if isinstance(cls, type):
            differences += compare(cls, members_of(node, classes))
    return differences


def names_of(node):
    if isinstance(node, ast.AnnAssign):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets]
    return [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []


def members_of(node, classes):
    members = {name: each for each in node.body for name in names_of(each)}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            members = {**members_of(classes[base.id], classes), **members}
    return members


FOREIGN = (str, Exception, inspect.getmro(ExternalResponse)[1])


def compare(cls, stub):
    inherited = {name for base in FOREIGN if issubclass(cls, base) for name in dir(base)}
    own = {name for name in dir(cls) if not name.startswith("_")} | set(getattr(cls, "model_fields", ()))
    offered = {name for name in own if name not in inherited or name in stub}
    instance = {"text", "status_code", "reason", "headers"} if cls in (ExternalResponse, StatusError) else set()
    public = {name for name in stub if not name.startswith("_")}
    differences = [f"{cls.__name__}.{name}" for name in sorted((offered ^ public) - instance)]
    for name, node in stub.items():
        function = inspect.getattr_static(cls, name, None)
        function = getattr(function, "__func__", function)
        if isinstance(node, ast.FunctionDef) and inspect.isfunction(function) and not node.args.kwarg and not node.name.startswith("__"):
            written = [arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)]
            real = list(inspect.signature(function).parameters)
            if written != real and real[-1:] != ["options"]:
                differences.append(f"{cls.__name__}.{name}({', '.join(real)})")
    return differences

"""Facts about Python files for the rules of `frontdesk lint`: read off their syntax trees, nothing is run."""

import ast
import re

TYPING_NAMES = {
    "Any", "Callable", "Dict", "Iterable", "Iterator", "List", "Literal", "Mapping", "NamedTuple", "Optional",
    "Sequence", "Set", "Tuple", "Type", "TypedDict", "Union",
}
STATE_NAMES = {"state", "variables"}
STATE_CALLS = {"get_variable": "read", "set_variable": "write", "remove_variable": "read"}
DICT_CALLS = {"get": "read", "pop": "read", "setdefault": "write"}


def python_facts(files: dict) -> dict:
    """The facts of each file, by its path."""
    return {path: facts_of(code) for path, code in files.items()}


def facts_of(code: str) -> dict:
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        return {"error": {"message": error.msg, "line": error.lineno or 1, "column": error.offset or 1}}
    except (RecursionError, MemoryError, ValueError) as error:
        return {"error": {"message": str(error) or type(error).__name__, "line": 1, "column": 1}}
    reader = Reader(code)
    try:
        reader.read(tree)
    except RecursionError:
        return {"error": {"message": "nested too deeply", "line": 1, "column": 1}}
    return reader.facts


class Reader(ast.NodeVisitor):
    """Collects the facts of one file."""

    def __init__(self, code):
        self.lines = code.splitlines()
        self.function = ""
        self.facts = {
            "functions": [],
            "missingTyping": [],
            "bareExcepts": [],
            "toolCalls": [],
            "actions": [],
            "returns": [],
            "state": [],
            "phraseLists": [],
            "importLine": 1,
        }

    def read(self, tree):
        self.bound = {name for node in ast.walk(tree) for name in bound_names(node)}
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.facts["importLine"] = import_line(tree)
        self.state_aliases = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and is_state_attribute(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.visit(tree)

    def place(self, node):
        """Line and column of a node, from 1, in characters: the parser counts bytes."""
        return {"line": node.lineno, "column": self.column(node.lineno, node.col_offset)}

    def column(self, line, offset):
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        # UTF-16 units, as editors and JavaScript count.
        return len(text.encode()[:offset].decode(errors="ignore").encode("utf-16-le")) // 2 + 1

    def visit_FunctionDef(self, node):
        outer = self.function
        is_top = isinstance(self.parents.get(node), ast.Module)
        self.facts["functions"].append(self.describe(node, is_top))
        self.function = node.name
        self.generic_visit(node)
        self.function = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def describe(self, node, is_top):
        compared = {name for each in ast.walk(node) for name in compared_with_none(each)}
        name_offset = len("async def " if isinstance(node, ast.AsyncFunctionDef) else "def ")
        place = self.place(node)
        return {
            "name": node.name,
            **place,
            "nameColumn": place["column"] + name_offset,
            "isTop": is_top,
            "docstring": ast.get_docstring(node) or "",
            "returns": unparsed(node.returns),
            "hasReturnsNone": isinstance(node.returns, ast.Constant) and node.returns.value is None,
            "parameters": [self.parameter(*each, compared) for each in parameters_of(node.args)],
            "uses": sum(isinstance(each, ast.Name) and each.id == node.name for each in ast.walk(self.root(node))),
        }

    def root(self, node):
        while node in self.parents:
            node = self.parents[node]
        return node

    def parameter(self, argument, kind, default, compared):
        described = {
            "name": argument.arg,
            "kind": kind,
            "annotation": unparsed(argument.annotation),
            "hasDefault": default is not None,
            "isNone": isinstance(default, ast.Constant) and default.value is None,
            "isComparedWithNone": argument.arg in compared,
            **self.place(argument),
        }
        if default is not None:
            described["default"] = self.place(default)
        return described

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in TYPING_NAMES and node.id not in self.bound:
            self.facts["missingTyping"].append({"name": node.id, **self.place(node)})

    def visit_ExceptHandler(self, node):
        if node.type is None:
            logs = any(isinstance(each, (ast.Raise, ast.Call)) and (isinstance(each, ast.Raise) or is_log(each)) for each in ast.walk(node))
            self.facts["bareExcepts"].append({"logs": logs, **self.place(node)})
        self.generic_visit(node)

    def visit_Return(self, node):
        if node.value is not None:
            keys = literal_keys(node.value)
            self.facts["returns"].append(
                {"function": self.function, "isDict": is_dict(node.value), "keys": keys, "size": literal_size(node.value), **self.place(node)}
            )
        self.generic_visit(node)

    def visit_Call(self, node):
        called = node.func
        if isinstance(called, ast.Attribute):
            if isinstance(called.value, ast.Name) and called.value.id in ("tools", "async_tools"):
                self.facts["toolCalls"].append({"name": called.attr, **self.place(called)})
            if called.attr in DICT_CALLS and self.is_state(called.value):
                self.use_of_state(DICT_CALLS[called.attr], node, node.args[:1], node.args[1:2])
            if called.attr == "update" and self.is_state(called.value):
                for argument in node.args[:1]:
                    if isinstance(argument, ast.Dict):
                        for key, value in zip(argument.keys, argument.values):
                            self.use_of_state("write", key or argument, [key], [value])
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        action = action_of(name, node)
        if action:
            self.facts["actions"].append({**action, **self.place(node)})
        if name in STATE_CALLS:
            self.use_of_state(STATE_CALLS[name], node, node.args[:1], node.args[1:2] if name == "set_variable" else [])
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if self.is_state(node.value):
            written = isinstance(node.ctx, ast.Store)
            parent = self.parents.get(node)
            value = parent.value if written and isinstance(parent, ast.Assign) else None
            inner = parent.slice if isinstance(parent, ast.Subscript) and parent.value is node else None
            self.use_of_state("write" if written else "read", node, [node.slice], [value], inner)
        self.generic_visit(node)

    def use_of_state(self, mode, node, keys, values, inner=None):
        for key in keys:
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                return
            path = key.value
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                path += "." + inner.value
            written = literal_type(values[0]) if mode == "write" and values and values[0] is not None else ""
            self.facts["state"].append({"key": path, "mode": mode, "type": written, **self.place(node)})

    def is_state(self, node):
        return is_state_attribute(node) or (
            isinstance(node, ast.Name) and (node.id in STATE_NAMES or node.id in self.state_aliases)
        )

    def visit_List(self, node):
        self.phrases(node)
        self.generic_visit(node)

    visit_Tuple = visit_List
    visit_Set = visit_List

    def phrases(self, node):
        """A list of short texts that the code looks for in what somebody said."""
        texts = [each.value for each in node.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        worded = [text for text in texts if re.fullmatch(r"[a-z][a-z' ]*", text)]
        if len(worded) >= 3 and len(worded) == len(node.elts) and self.is_searched(node):
            self.facts["phraseLists"].append({"count": len(worded), **self.place(node)})

    def is_searched(self, node):
        """Whether texts of the list are compared with another text: `any(p in said for p in phrases)`, `for p in phrases: if p in said`."""
        names = {"": node}
        parent = self.parents.get(node)
        if isinstance(parent, ast.Assign):
            names.update({target.id: target for target in parent.targets if isinstance(target, ast.Name)})
        for loop in ast.walk(self.root(node)):
            if not isinstance(loop, (ast.comprehension, ast.For)):
                continue
            over = loop.iter
            if over is not node and not (isinstance(over, ast.Name) and over.id in names):
                continue
            target = loop.target.id if isinstance(loop.target, ast.Name) else ""
            scope = self.parents[loop] if isinstance(loop, ast.comprehension) else loop
            if any(is_search_for(each, target) for each in ast.walk(scope)):
                return True
        return False


def action_of(called, node):
    """The session's end or a transfer that a call makes a part of; a transfer's agent is "" when it is computed."""
    if called == "from_end_session":
        return {"name": "end_session", "agent": ""}
    if called == "from_agent_transfer":
        return {"name": "transfer_to_agent", "agent": constant_text(argument_of(node, 0, "agent"))}
    if called not in ("from_function_call", "FunctionCall"):
        return None
    name = constant_text(argument_of(node, 0 if called == "from_function_call" else None, "name"))
    if name == "end_session":
        return {"name": name, "agent": ""}
    if name != "transfer_to_agent":
        return None
    args = argument_of(node, 1 if called == "from_function_call" else None, "args")
    pairs = zip(args.keys, args.values) if isinstance(args, ast.Dict) else ()
    agents = [constant_text(value) for key, value in pairs if constant_text(key) in ("agent_name", "agent")]
    return {"name": name, "agent": agents[0] if agents else ""}


def argument_of(node, index, name):
    if index is not None and index < len(node.args):
        return node.args[index]
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def constant_text(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_search_for(node, name):
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and node.left.id == name
        and any(isinstance(op, ast.In) for op in node.ops)
    )


def bound_names(node):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            if alias.name == "*" and getattr(node, "module", "") == "typing":
                yield from TYPING_NAMES
            yield alias.asname or alias.name.split(".")[0]
    elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def import_line(tree):
    """The line where an import can be added: behind the docstring and the imports of __future__."""
    line = 1
    for index, node in enumerate(tree.body):
        is_docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_docstring or is_future):
            break
        line = node.end_lineno + 1
    return line


def is_state_attribute(node):
    return isinstance(node, ast.Attribute) and node.attr in STATE_NAMES


def parameters_of(arguments):
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(positional, defaults):
        yield argument, "positional", default
    if arguments.vararg:
        yield arguments.vararg, "var-positional", None
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield argument, "keyword-only", default
    if arguments.kwarg:
        yield arguments.kwarg, "var-keyword", None


def compared_with_none(node):
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        if any(isinstance(each, ast.Constant) and each.value is None for each in node.comparators):
            yield node.left.id


def unparsed(node):
    return "" if node is None else ast.unparse(node)


def is_log(call):
    name = ast.unparse(call.func).lower()
    return "log" in name or name == "print" or name.endswith("print_exc")


def is_dict(node):
    return isinstance(node, (ast.Dict, ast.DictComp)) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"
    )


def literal_keys(node):
    if isinstance(node, ast.Dict):
        return [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return [keyword.arg for keyword in node.keywords if keyword.arg]
    return []


def literal_size(node):
    """How many values a literal has, at any depth; what is computed counts as one."""
    return sum(isinstance(each, ast.Constant) for each in ast.walk(node))


def literal_type(node):
    """The schema type of a literal: STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT; '' for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return literal_type(node.operand)
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return "OBJECT"
    if isinstance(node, (ast.List, ast.ListComp, ast.Tuple)):
        return "ARRAY"
    if isinstance(node, ast.JoinedStr):
        return "STRING"
    if not isinstance(node, ast.Constant):
        return ""
    kinds = {bool: "BOOLEAN", int: "INTEGER", float: "NUMBER", str: "STRING"}
    return kinds.get(type(node.value), "")

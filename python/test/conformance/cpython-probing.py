#: globals() is the module's own dictionary | CPython
marker = "module"
def f():
    globals()["planted"] = 7
    return [globals()["marker"], planted, "f" in globals(), "nothing" in globals(), globals()["__name__"] == f.__module__, callable(globals().get("helper")), helper(2)]
def helper(n):
    return n * 10
#= ["module", 7, true, false, true, true, 20]

#: locals() is a picture | CPython
def f():
    a = 1
    seen = locals()
    seen["a"] = 99
    b = 2
    return [a, sorted(locals()), "b" in seen]
#= [1, ["a", "b", "seen"], true]

#: hasattr, getattr and setattr probing | CPython
def f():
    class A:
        x = None
        @property
        def broken(self): raise AttributeError("inner")
        @property
        def worse(self): raise ValueError("inner")
    a = A()
    setattr(a, "with space", 1)
    try:
        hasattr(a, "worse")
    except ValueError as error:
        problem = str(error)
    return [hasattr(a, "x"), hasattr(a, "y"), hasattr(a, "broken"), getattr(a, "y", "default"), getattr(a, "with space"), vars(a), problem, hasattr([], "append"), hasattr(1, "real"), callable(a), callable(A), callable(len)]
#= [true, false, false, "default", 1, {"with space": 1}, "inner", true, true, false, true, true]

#: dispatch by name through globals and dictionaries | CPython
def handle_refund(n):
    return f"refund {n}"
def handle_ship(n):
    return f"ship {n}"
def f():
    handlers = {name.removeprefix("handle_"): value for name, value in sorted(globals().items()) if name.startswith("handle_")}
    return [sorted(handlers), handlers["ship"](3), globals()["handle_" + "refund"](1), handlers.get("other", lambda n: "unknown")(0)]
#entry f
#= [["refund", "ship"], "ship 3", "refund 1", "unknown"]

#: inspect: signatures, sources of defaults, kinds | CPython
def f():
    import inspect
    def g(a, b: int = 2, *args, c="x", **kw) -> str:
        "Doc of g."
    s = inspect.signature(g)
    bound = s.bind(1, c="y", z=3)
    bound.apply_defaults()
    try:
        s.bind()
    except TypeError as error:
        problem = str(error)
    return [str(s), [p.kind.name for p in s.parameters.values()], bound.arguments, problem, inspect.getdoc(g), inspect.isfunction(g), inspect.isbuiltin(len), inspect.isclass(int), s.replace(parameters=[]).return_annotation is str]
#= ["(a, b: int = 2, *args, c='x', **kw) -> str", ["POSITIONAL_OR_KEYWORD", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"], {"a": 1, "b": 2, "args": [], "c": "y", "kw": {"z": 3}}, "missing a required argument: 'a'", "Doc of g.", true, true, true, true]

#: types, their names and relations | CPython
def f():
    import types
    class A: pass
    return [type(f).__name__, isinstance(True, int), issubclass(bool, int), type(lambda: 0) is types.FunctionType, type(None).__name__, A.__module__ == f.__module__, A.__qualname__, isinstance([], (tuple, list)), isinstance(1, int | str), type(type).__name__, type(x for x in []).__name__, int.__mro__[-1].__name__, isinstance(ValueError, type)]
#= ["function", true, true, true, "NoneType", true, "f.<locals>.A", true, true, "type", "generator", "object", true]

#: functions carry attributes and code | CPython
def f():
    def g(x, y=1):
        z = x + y
        return z
    g.cost = 5
    c = g.__code__
    return [g.cost, c.co_varnames, c.co_argcount, c.co_name, g.__defaults__, g.__annotations__, g.__kwdefaults__, g.__dict__]
#= [5, ["x", "y", "z"], 2, "g", [1], {}, null, {"cost": 5}]

#: ast: reading and judging an expression | CPython
def f():
    import ast
    tree = ast.parse("a + f(b, 2) * c.d", mode="eval")
    names = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)})
    class Double(ast.NodeTransformer):
        def visit_Constant(self, node): return ast.Constant(node.value * 2)
    changed = ast.fix_missing_locations(Double().visit(ast.parse("[1, 2, 'a']", mode="eval")))
    try:
        ast.literal_eval("__import__('os')")
    except ValueError as error:
        problem = type(error).__name__
    return [names, ast.unparse(tree), eval(compile(changed, "x", "eval")), ast.literal_eval("{'a': [1, (2, None)], 'b': {-1.5}}")["a"], problem]
#= [["a", "b", "c", "f"], "a + f(b, 2) * c.d", [2, 4, "aa"], [1, [2, null]], "ValueError"]

#: tokens and keywords | CPython
def f():
    import io, keyword, tokenize
    tokens = tokenize.generate_tokens(io.StringIO("x = 1 # c\n").readline)
    return [[tokenize.tok_name[t.type] for t in tokens], keyword.iskeyword("match"), keyword.issoftkeyword("match"), keyword.iskeyword("async")]
#= [["NAME", "OP", "NUMBER", "COMMENT", "NEWLINE", "ENDMARKER"], false, true, true]

#: a small calculator with precedence, by regular expression and recursion | CPython
def f():
    import re
    def evaluate(text):
        tokens = re.findall(r"\d+\.?\d*|[-+*/^()]", text)
        def peek(): return tokens[0] if tokens else None
        def atom():
            t = tokens.pop(0)
            if t == "(":
                v = expression()
                tokens.pop(0)
                return v
            if t == "-": return -factor()
            return float(t)
        def factor():
            base = atom()
            if peek() == "^":
                tokens.pop(0)
                return base ** factor()
            return base
        def term():
            v = factor()
            while peek() in ("*", "/"):
                v = v * factor() if tokens.pop(0) == "*" else v / factor()
            return v
        def expression():
            v = term()
            while peek() in ("+", "-"):
                v = v + term() if tokens.pop(0) == "+" else v - term()
            return v
        return expression()
    return [evaluate(t) for t in ("1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-4 / 2 - 1", "10 - 4 - 3")]
#= [7.0, 9.0, 512.0, -3.0, 3.0]

#: a state machine of generators | CPython
def f():
    def machine():
        state, log = "idle", []
        while True:
            event = yield state
            log.append(event)
            match (state, event):
                case ("idle", "start"): state = "busy"
                case ("busy", "done"): state = "idle"
                case (_, "stop"): return log
                case _: state = "error"
    m = machine()
    states = [next(m)] + [m.send(e) for e in ("start", "done", "done")]
    try:
        m.send("stop")
    except StopIteration as end:
        return [states, end.value]
#= [["idle", "busy", "idle", "error"], ["start", "done", "done", "stop"]]

#: memoised search: edit distance and coins | CPython
def f():
    from functools import cache
    def distance(a, b):
        @cache
        def d(i, j):
            if not i or not j: return i + j
            return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
        return d(len(a), len(b))
    @cache
    def ways(n, coins=(50, 20, 10, 5, 2, 1)):
        if n == 0: return 1
        if n < 0 or not coins: return 0
        return ways(n - coins[0], coins) + ways(n, coins[1:])
    return [distance("kitten", "sitting"), distance("", "abc"), ways(100)]
#= [3, 3, 4562]

#: modules made by hand, and imported by name | CPython
def f():
    import importlib, sys, types
    made = types.ModuleType("handmade", "doc")
    exec("value = 5\ndef double(n): return n * 2", made.__dict__)
    sys.modules["handmade"] = made
    import handmade
    from handmade import double
    return [handmade.value, double(4), importlib.import_module("handmade") is made, made.__doc__, importlib.import_module("collections.abc").Sized.__name__]
#= [5, 8, true, "doc", "Sized"]

#: imports inside functions, aliases, and what is not there | CPython
def f():
    import os.path as p
    from collections import abc as shapes, deque
    try:
        from collections import no_such_thing
    except ImportError as error:
        problem = type(error).__name__
    try:
        import no.such.module
    except ModuleNotFoundError as error:
        missing = error.name
    return [p.join("a", "b"), p.splitext("x.tar.gz"), p.basename("/a/b/"), shapes.Mapping.__name__, len(deque()), problem, missing, p.normpath("a/../b//c")]
#= ["a/b", ["x.tar", ".gz"], "", "Mapping", 0, "ImportError", "no", "b/c"]

#: uuid, secrets and their shapes | CPython
def f():
    import secrets, uuid
    u = uuid.uuid5(uuid.NAMESPACE_DNS, "example.com")
    return [str(u), u.version, str(uuid.UUID(int=5)), uuid.uuid3(uuid.NAMESPACE_URL, "x").hex, len(secrets.token_hex(8)), secrets.randbelow(1), len(str(uuid.uuid4())), str(uuid.UUID("{12345678123456781234567812345678}")), len(secrets.token_urlsafe(16))]
#= ["cfbff0d1-9375-5685-968c-48ce8b15ae17", 5, "00000000-0000-0000-0000-000000000005", "60a7f89ce446309c8b4f460bfdfd0dee", 16, 0, 36, "12345678-1234-5678-1234-567812345678", 22]

#: tracebacks that code formats itself | CPython
def f():
    import traceback
    def inner():
        raise LookupError("deep")
    try:
        inner()
    except LookupError as error:
        lines = traceback.format_exception(error)
        summary = traceback.extract_tb(error.__traceback__)
    return [lines[0], lines[-1], [s.name for s in summary], summary[-1].line, traceback.format_exc()]
#= ["Traceback (most recent call last):\n", "LookupError: deep\n", ["f", "inner"], "raise LookupError(\"deep\")", "NoneType: None\n"]

#: warnings become errors or are collected | CPython
def f():
    import warnings
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            warnings.warn("now", UserWarning)
        except UserWarning as error:
            raised = str(error)
    return [[str(w.message) for w in caught], caught[0].category.__name__, raised]
#= [["old"], "DeprecationWarning", "now"]

#: XML, configuration and command lines in texts | CPython
def f():
    import argparse, configparser, shlex
    import xml.etree.ElementTree as E
    root = E.fromstring("<a x='1'><b>t</b><b/>tail</a>")
    c = configparser.ConfigParser()
    c.read_string("[s]\nk = v\nn: 5\n[t]\non = yes")
    p = argparse.ArgumentParser()
    p.add_argument("--n", type=int, default=1)
    p.add_argument("names", nargs="*")
    return [[b.text for b in root.iter("b")], root.attrib, E.tostring(root).decode(), c["s"]["k"], c.getint("s", "n"), c.getboolean("t", "on"), vars(p.parse_args(["--n", "3", "a", "b"])), shlex.split("a 'b c' d\\ e")]
#= [["t", null], {"x": "1"}, "<a x=\"1\"><b>t</b><b />tail</a>", "v", 5, true, {"n": 3, "names": ["a", "b"]}, ["a", "b c", "d e"]]

#: compression and archives in memory | CPython
def f():
    import gzip, io, zipfile, zlib
    data = b"abc" * 100
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("a/b.txt", "hello")
    with zipfile.ZipFile(box) as z:
        names, text = z.namelist(), z.read("a/b.txt").decode()
    return [zlib.decompress(zlib.compress(data)) == data, gzip.decompress(gzip.compress(data)) == data, names, text, len(zlib.compress(data)) < 30]
#= [true, true, ["a/b.txt"], "hello", true]

#: networks as values | CPython
def f():
    import ipaddress as ip
    n = ip.ip_network("192.168.0.0/29")
    try:
        ip.ip_address("300.1.1.1")
    except ValueError as error:
        problem = str(error)
    return [n.num_addresses, [str(h) for h in n.hosts()][:2], ip.ip_address("10.0.0.1").is_private, ip.ip_address("192.168.0.5") in n, str(ip.ip_address("::1").exploded), problem, str(ip.ip_network("10.0.0.0/8").supernet())]
#= [8, ["192.168.0.1", "192.168.0.2"], true, true, "0000:0000:0000:0000:0000:0000:0000:0001", "'300.1.1.1' does not appear to be an IPv4 or IPv6 address", "10.0.0.0/7"]

#: match: literals, captures, guards | CPython
def f():
    def what(x):
        match x:
            case 0 | 1: return "small"
            case int(n) if n < 0: return f"negative {n}"
            case bool(): return "bool"
            case str() as s: return f"text {s}"
            case None: return "none"
            case [] : return "empty"
            case [one]: return f"one {one}"
            case [first, *rest]: return [first, rest]
            case _: return "other"
    return [what(x) for x in (0, True, -5, "a", None, [], (7,), [1, 2, 3], {1}, 9)]
#= ["small", "small", "negative -5", "text a", "none", "empty", "one 7", [1, [2, 3]], "other", "other"]

#: match: mappings and nested patterns | CPython
def f():
    def route(event):
        match event:
            case {"type": "order", "items": [{"sku": sku, "n": n}, *_], **rest}: return [sku, n, rest]
            case {"type": ("refund" | "return") as kind, "id": str(id)}: return [kind, id]
            case {"type": other}: return other
            case {}: return "no type"
    return [route({"type": "order", "items": [{"sku": "a", "n": 1, "x": 2}, 3], "z": 1}), route({"type": "return", "id": "7"}), route({"type": "refund", "id": 7}), route({"a": 1})]
#= [["a", 1, {"z": 1}], ["return", "7"], "refund", "no type"]

#: match: classes, positional and by keyword | CPython
def f():
    from dataclasses import dataclass
    @dataclass
    class P:
        x: int
        y: int
    class Q:
        __match_args__ = ("a",)
        def __init__(self, a, b): self.a, self.b = a, b
    def what(o):
        match o:
            case P(0, 0): return "origin"
            case P(x, y=0): return f"on x at {x}"
            case P(x=x, y=y) if x == y: return "diagonal"
            case Q(a, b=3): return f"q {a}"
            case P() | Q(): return "some"
    return [what(o) for o in (P(0, 0), P(4, 0), P(2, 2), P(1, 2), Q(1, 3), Q(1, 4))]
#= ["origin", "on x at 4", "diagonal", "some", "q 1", "some"]

#: match: constants by dotted names, and sequences that are no sequences | CPython
def f():
    from enum import Enum
    class C(Enum):
        A = 1
        B = 2
    def what(x):
        match x:
            case C.A: return "a"
            case C.B: return "b"
            case [*_]: return "sequence"
            case _: return "no"
    return [what(x) for x in (C.A, C.B, [1], (), "text", b"bytes", {1: 2}, range(2), iter([1]))]
#= ["a", "b", "sequence", "sequence", "no", "no", "no", "sequence", "no"]

#: exceptions: else, finally and what wins | CPython
def f():
    log = []
    def g(n):
        try:
            if n == 1: raise ValueError("one")
            if n == 2: return "returned"
        except ValueError as error:
            log.append(str(error))
            return "handled"
        else:
            log.append("else")
            return "else"
        finally:
            log.append(n)
            if n == 3: return "finally wins"
    return [[g(n) for n in range(4)], log]
#= [["else", "handled", "returned", "finally wins"], ["else", 0, "one", 1, 2, "else", 3]]

#: exceptions: cause, context and suppression | CPython
def f():
    def chain(error):
        return [type(error).__name__, error.__cause__ and chain(error.__cause__), error.__context__ and type(error.__context__).__name__, error.__suppress_context__]
    out = []
    for way in range(3):
        try:
            try:
                {}["k"]
            except KeyError as inner:
                if way == 0: raise ValueError("v")
                if way == 1: raise ValueError("v") from inner
                raise ValueError("v") from None
        except ValueError as error:
            out.append(chain(error))
    return out
#= [["ValueError", null, "KeyError", false], ["ValueError", ["KeyError", null, null, false], "KeyError", true], ["ValueError", null, "KeyError", true]]

#: exception groups: except*, split, subgroup, nesting | CPython
def f():
    log = []
    group = ExceptionGroup("g", [ValueError("a"), ExceptionGroup("h", [TypeError("b"), KeyError("c")])])
    try:
        raise group
    except* ValueError as errors:
        log.append([type(e).__name__ for e in errors.exceptions])
    except* (TypeError, KeyError) as errors:
        log.append([errors.message, [type(e).__name__ for e in errors.exceptions[0].exceptions]])
    match, rest = group.split(TypeError)
    return [log, repr(match), repr(rest), group.subgroup(lambda e: isinstance(e, KeyError)).exceptions[0].message, str(group)]
#= [[["ValueError"], ["g", ["TypeError", "KeyError"]]], "ExceptionGroup('g', [ExceptionGroup('h', [TypeError('b')])])", "ExceptionGroup('g', [ValueError('a'), ExceptionGroup('h', [KeyError('c')])])", "h", "g (2 sub-exceptions)"]

#: an exception that no except* takes goes on | CPython
def f():
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), OSError(2)])
        except* ValueError:
            raise RuntimeError("while handling")
    except ExceptionGroup as left:
        return sorted(repr(e) for e in left.exceptions)
#= ["ExceptionGroup('g', [OSError(2)])", "RuntimeError('while handling')"]

#: notes and arguments of exceptions | CPython
def f():
    class E(Exception):
        def __init__(self, code, *more):
            super().__init__(code, *more)
            self.code = code
        def __str__(self): return f"E-{self.code}"
    e = E(7, "x")
    e.add_note("first")
    e.add_note("second")
    import traceback
    return [str(e), repr(e), e.args, e.__notes__, [line.removeprefix(f"{__name__}.") for line in traceback.format_exception_only(e)]]
#= ["E-7", "E(7, 'x')", [7, "x"], ["first", "second"], ["f.<locals>.E: E-7\n", "first\n", "second\n"]]

#: the name of an exception is gone after its clause | CPython
def f():
    try:
        1 / 0
    except ZeroDivisionError as error:
        kept = error
    try:
        error
    except NameError as problem:
        return [str(kept), type(problem).__name__]
#= ["division by zero", "UnboundLocalError"]

#: context managers: order, suppression, ExitStack | CPython
def f():
    from contextlib import ExitStack, contextmanager, nullcontext, suppress, closing, redirect_stdout
    import io
    log = []
    @contextmanager
    def step(name, swallow=False):
        log.append("+" + name)
        try:
            yield name
        except ValueError:
            log.append("!" + name)
            if not swallow: raise
        finally:
            log.append("-" + name)
    with step("a", True), step("b") as b:
        raise ValueError
    with ExitStack() as stack:
        for name in "xy": stack.enter_context(step(name))
        stack.callback(log.append, "callback")
    with suppress(KeyError): {}["k"]
    with nullcontext(5) as five: pass
    text = io.StringIO()
    with redirect_stdout(text): print("caught", end="")
    return [log, b, five, text.getvalue()]
#= [["+a", "+b", "!b", "-b", "!a", "-a", "+x", "+y", "callback", "-y", "-x"], "b", 5, "caught"]

#: a context manager as a decorator, used twice | CPython
def f():
    from contextlib import ContextDecorator
    log = []
    class Track(ContextDecorator):
        def __enter__(self): log.append("in"); return self
        def __exit__(self, kind, error, trace): log.append(kind.__name__ if kind else "out"); return kind is KeyError
    @Track()
    def work(fail):
        if fail: raise KeyError
        return 1
    return [work(False), work(True), log]
#= [1, null, ["in", "out", "in", "KeyError"]]

#: loops with else, break and continue, and the value left behind | CPython
def f():
    out = []
    for n in range(2, 12):
        for d in range(2, n):
            if n % d == 0: break
        else:
            out.append(n)
    while out:
        if len(out) < 3: break
        out.pop()
    else:
        out.append("never")
    return [out, n, d]
#= [[2, 3], 11, 10]

#: chained comparisons, short circuits and conditional expressions | CPython
def f():
    calls = []
    def v(x): calls.append(x); return x
    return [v(1) < v(3) < v(2) < v(9), calls, 0 or [] or "last", 1 and "" and 2, not [], "yes" if [] else "no", 1 == 1.0 == True, 3 > 2 > 1 != 0]
#= [false, [1, 3, 2], "last", "", true, "no", true, true]

#: assignment expressions and their scopes | CPython
def f():
    data = [1, 5, 3, 9]
    top = [big for x in data if (big := x * 2) > 5]
    if (n := len(data)) > 3: pass
    while (item := data.pop()) != 5: pass
    return [top, big, n, item, data]
#= [[10, 6, 18], 18, 4, 5, [1]]

#: unpacking everywhere | CPython
def f():
    (a, b), *c, d = [(1, 2), 3, 4, 5]
    first, *_, last = "hello"
    def g(*args, **kw): return [args, kw]
    bad = []
    for source in ([1], [1, 2, 3]):
        try:
            x, y = source
        except ValueError as error:
            bad.append(str(error))
    return [a, b, c, d, first, last, [*range(2), *"ab"], {**{"a": 1}, "a": 2, **{"b": 3}}, g(*[1], 2, *(3,), **{"k": 4}, l=5), bad]
#= [1, 2, [3, 4], 5, "h", "o", [0, 1, "a", "b"], {"a": 2, "b": 3}, [[1, 2, 3], {"k": 4, "l": 5}], ["not enough values to unpack (expected 2, got 1)", "too many values to unpack (expected 2)"]]

#: del, slices and augmented assignment | CPython
def f():
    x = list(range(10))
    x[2:5] = ["a"]
    x[::3] = [0] * len(x[::3])
    del x[-2:]
    y = z = [1]
    y += [2]
    y = y + [3]
    t = ([1],)
    try:
        t[0] += [2]
    except TypeError:
        pass
    return [x, y, z, t, "abcdef"[::-2], [1, 2, 3][5:], list(range(10))[-3::-3]]
#= [[0, 1, "a", 0, 6, 7], [1, 2, 3], [1, 2], [[1, 2]], "fdb", [], [7, 4, 1]]

#: comprehensions: nested, conditional, own scope | CPython
def f():
    x = "outer"
    grid = [[r * c for c in range(3)] for r in range(3)]
    return [grid, [v for row in grid for v in row if v % 2 == 0], {k: v for v, k in enumerate("abca")}, sorted({len(w) for w in "a bb cc ddd".split()}), [x for x in range(2)], x]
#= [[[0, 0, 0], [0, 1, 2], [0, 2, 4]], [0, 0, 0, 0, 2, 0, 2, 4], {"a": 3, "b": 1, "c": 2}, [1, 2, 3], [0, 1], "outer"]

#: assert and __debug__ | CPython
def f():
    try:
        assert 1 == 2, "message"
    except AssertionError as error:
        return [str(error), __debug__]
#= ["message", true]

#: global names, exec and eval with namespaces | CPython
def f():
    space = {"n": 2}
    exec("def g(x):\n    return x * n\nresult = [g(i) for i in range(3)]", space)
    return [space["result"], eval("n + m", space, {"m": 5}), eval(compile("1 + 2", "e", "eval")), sorted(k for k in space if k != "__builtins__")]
#= [[0, 2, 4], 7, 3, ["g", "n", "result"]]

#: type parameters of annotations are kept as written | CPython
def f():
    from typing import get_type_hints, Annotated, Literal, Optional, get_args, get_origin, Union
    def g(a: "int", b: Annotated[str, "note"] = "x", *, c: Optional[Literal["p", "q"]] = None) -> dict[str, list[int]]: ...
    hints = get_type_hints(g)
    return [hints["a"] is int, hints["b"] is str, get_args(hints["c"])[1] is type(None), get_origin(hints["return"]) is dict, str(hints["return"]), get_type_hints(g, include_extras=True)["b"].__metadata__, int | str == Union[int, str]]
#= [true, true, true, true, "dict[str, list[int]]", ["note"], true]

#: a class whose repr is its str has none | CPython
def f():
    class Both:
        pass
    Both.__repr__ = Both.__str__
    caught = []
    for show in (repr, str, lambda it: f"{[it]}"):
        try:
            show(Both())
        except RecursionError as error:
            caught.append(type(error).__name__)
    return caught
#= ["RecursionError", "RecursionError", "RecursionError"]

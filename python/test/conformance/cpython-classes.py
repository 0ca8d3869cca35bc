#: the order of method resolution | CPython
def f():
    class A:
        def who(self): return ["A"]
    class B(A):
        def who(self): return ["B", *super().who()]
    class C(A):
        def who(self): return ["C", *super().who()]
    class D(B, C):
        def who(self): return ["D", *super().who()]
    try:
        type("E", (A, D), {})
    except TypeError as error:
        return [D().who(), [c.__name__ for c in D.__mro__], str(error).splitlines()[0]]
#= [["D", "B", "C", "A"], ["D", "B", "C", "A", "object"], "Cannot create a consistent method resolution"]

#: data and non-data descriptors | CPython
def f():
    class Positive:
        def __set_name__(self, owner, name): self.name = "_" + name
        def __get__(self, one, owner): return self if one is None else getattr(one, self.name, 0)
        def __set__(self, one, value):
            if value < 0: raise ValueError(f"{self.name[1:]} is negative")
            setattr(one, self.name, value)
        def __delete__(self, one): delattr(one, self.name)
    class Lazy:
        def __get__(self, one, owner): return "computed"
    class Item:
        price = Positive()
        label = Lazy()
    item = Item()
    first = [item.price, item.label]
    item.price, item.label = 5, "set"
    try:
        item.price = -1
    except ValueError as error:
        problem = str(error)
    found = [item.price, item.label, problem, type(Item.price).__name__, sorted(vars(item))]
    del item.price
    return [first, found, item.price]
#= [[0, "computed"], [5, "set", "price is negative", "Positive", ["_price", "label"]], 0]

#: properties with setters, deleters and documentation | CPython
def f():
    class T:
        def __init__(self): self._c = 0
        @property
        def fahrenheit(self):
            "In F."
            return self._c * 9 / 5 + 32
        @fahrenheit.setter
        def fahrenheit(self, f): self._c = (f - 32) * 5 / 9
        @property
        def fixed(self): return 1
    t = T()
    t.fahrenheit = 212
    try:
        t.fixed = 2
    except AttributeError as error:
        return [t._c, t.fahrenheit, T.fahrenheit.__doc__, str(error)]
#= [100.0, 212.0, "In F.", "property 'fixed' of 'f.<locals>.T' object has no setter"]

#: a metaclass with __prepare__, __call__ and __new__ | CPython
def f():
    order = []
    class Meta(type):
        @classmethod
        def __prepare__(meta, name, bases, **options):
            order.append(("prepare", name, options))
            return {"planted": 1}
        def __new__(meta, name, bases, space, **options):
            return super().__new__(meta, name, bases, dict(space, added=sorted(k for k in space if not k.startswith("__"))))
        def __init__(cls, name, bases, space, **options):
            super().__init__(name, bases, space)
        def __call__(cls, *args):
            order.append(("call", args))
            return super().__call__(*args)
        def __len__(cls): return 42
    class A(metaclass=Meta, tag="x"):
        b = 2
        def __init__(self, n): self.n = n
    return [A(7).n, A.added, A.planted, len(A), order]
#= [7, ["b", "planted"], 1, 42, [["prepare", "A", {"tag": "x"}], ["call", [7]]]]

#: __init_subclass__ and class registries | CPython
def f():
    registry = {}
    class Plugin:
        def __init_subclass__(cls, /, key=None, **rest):
            super().__init_subclass__(**rest)
            registry[key or cls.__name__.lower()] = cls
    class Csv(Plugin): pass
    class Xml(Plugin, key="x"): pass
    return [sorted(registry), registry["x"].__name__, [c.__name__ for c in Plugin.__subclasses__()]]
#= [["csv", "x"], "Xml", ["Csv", "Xml"]]

#: __class_getitem__, __getattr__, __getattribute__, __dir__ | CPython
def f():
    class G:
        def __class_getitem__(cls, key): return f"G[{key!r}]"
        def __getattr__(self, name):
            if name.startswith("x"): return name.upper()
            raise AttributeError(name)
        def __dir__(self): return ["b", "a"]
    class H:
        def __getattribute__(self, name):
            return "all" if name != "__class__" else object.__getattribute__(self, name)
    g = G()
    return [G[1, 2], g.xyz, hasattr(g, "abc"), getattr(g, "abc", "none"), dir(g), H().anything]
#= ["G[(1, 2)]", "XYZ", false, "none", ["a", "b"], "all"]

#: slots keep other names out | CPython
def f():
    class Point:
        __slots__ = ("x", "y")
    class Named(Point):
        __slots__ = ("name",)
    p = Named()
    p.x, p.name = 1, "n"
    bad = []
    for action in (lambda: setattr(p, "z", 1), lambda: p.y, lambda: p.__dict__):
        try:
            action()
        except AttributeError as error:
            bad.append(type(error).__name__)
    return [p.x, p.name, bad]
#= [1, "n", ["AttributeError", "AttributeError", "AttributeError"]]

#: dataclasses: order, defaults, post-init, fields | CPython
def f():
    from dataclasses import asdict, astuple, dataclass, field, fields, replace
    @dataclass(order=True)
    class Line:
        sku: str
        quantity: int = 1
        tags: list = field(default_factory=list, compare=False)
        total: float = field(init=False, repr=False)
        def __post_init__(self): self.total = self.quantity * 2.5
    a, b = Line("a", 2), Line("b")
    return [repr(a), a < b, asdict(a), astuple(b), [x.name for x in fields(Line)], replace(a, quantity=4).total, Line("a", 2, ["x"]) == a]
#= ["f.<locals>.Line(sku='a', quantity=2, tags=[])", true, {"sku": "a", "quantity": 2, "tags": [], "total": 5.0}, ["b", 1, [], 2.5], ["sku", "quantity", "tags", "total"], 10.0, true]

#: dataclasses: frozen, slots, keyword only, init variables | CPython
def f():
    from dataclasses import FrozenInstanceError, InitVar, KW_ONLY, dataclass
    @dataclass(frozen=True, slots=True)
    class P:
        x: int
        _: KW_ONLY
        y: int = 0
    @dataclass
    class Q:
        a: int
        scale: InitVar[int] = 1
        def __post_init__(self, scale): self.a *= scale
    p = P(1, y=2)
    try:
        p.x = 3
    except FrozenInstanceError as error:
        problem = str(error)
    return [hash(p) == hash(P(1, y=2)), problem, Q(2, 5).a, P.__match_args__, hasattr(p, "__dict__")]
#= [true, "cannot assign to field 'x'", 10, ["x"], false]

#: dataclass inheritance and mistakes in the order of defaults | CPython
def f():
    from dataclasses import dataclass, make_dataclass
    @dataclass
    class Base:
        a: int
        b: int = 2
    @dataclass
    class Sub(Base):
        a: int = 10
        c: int = 3
    try:
        make_dataclass("Bad", [("x", int, 1), ("y", int)])
    except TypeError as error:
        return [repr(Sub()), repr(Sub(c=1)), str(error)]
#= ["f.<locals>.Sub(a=10, b=2, c=3)", "f.<locals>.Sub(a=10, b=2, c=1)", "non-default argument 'y' follows default argument"]

#: enumerations: values, aliases, auto, members | CPython
def f():
    from enum import Enum, auto, unique
    class Status(Enum):
        NEW = auto()
        OPEN = 5
        ACTIVE = 5
        DONE = auto()
        @property
        def label(self): return self.name.title()
        @classmethod
        def _missing_(cls, value): return cls.NEW if value == "?" else None
    try:
        Status(99)
    except ValueError as error:
        problem = str(error)
    return [[s.name for s in Status], Status.ACTIVE.name, Status(6).label, Status("?").value, problem, repr(Status.OPEN), Status["DONE"].value, sorted(Status.__members__)]
#= [["NEW", "OPEN", "DONE"], "OPEN", "Done", 1, "99 is not a valid f.<locals>.Status", "<Status.OPEN: 5>", 6, ["ACTIVE", "DONE", "NEW", "OPEN"]]

#: flags and integer enumerations | CPython
def f():
    from enum import Flag, IntEnum, IntFlag
    class P(Flag):
        R = 4
        W = 2
        X = 1
    class L(IntEnum):
        LOW = 1
        HIGH = 3
    both = P.R | P.W
    return [P.W in both, P.X in both, (both & ~P.R).name, both.value, L.HIGH > 2, L.LOW + 1, sorted([L.HIGH, L.LOW])[0].name, [p.name for p in both]]
#= [true, false, "W", 6, true, 2, "LOW", ["R", "W"]]

#: named tuples | CPython
def f():
    from collections import namedtuple
    from typing import NamedTuple
    P = namedtuple("P", "x y z", defaults=[0])
    class Q(NamedTuple):
        a: int
        b: str = "b"
        def both(self): return f"{self.a}{self.b}"
    p = P(1, 2)
    return [p, repr(p), p._asdict(), p._replace(x=9), P._fields, Q(1).both(), Q(*[2, "c"]), p == (1, 2, 0), P._field_defaults]
#= [[1, 2, 0], "P(x=1, y=2, z=0)", {"x": 1, "y": 2, "z": 0}, [9, 2, 0], ["x", "y", "z"], "1b", [2, "c"], true, {"z": 0}]

#: arithmetic on one's own class, reflected and in place | CPython
def f():
    class V:
        def __init__(self, *n): self.n = n
        def __add__(self, o): return V(*(a + b for a, b in zip(self.n, o.n))) if isinstance(o, V) else NotImplemented
        def __rmul__(self, k): return V(*(k * a for a in self.n))
        def __matmul__(self, o): return sum(a * b for a, b in zip(self.n, o.n))
        def __neg__(self): return V(*(-a for a in self.n))
        def __iadd__(self, o): self.n = tuple(a + b + 100 for a, b in zip(self.n, o.n)); return self
        def __bool__(self): return any(self.n)
        def __abs__(self): return max(map(abs, self.n))
        def __round__(self, digits=0): return "rounded"
    v = V(1, 2)
    w = v
    w += V(1, 1)
    try:
        v + 1
    except TypeError as error:
        return [(V(1, 2) + V(3, 4)).n, (3 * V(1, 2)).n, V(1, 2) @ V(3, 4), (-V(1)).n, v.n, bool(V(0, 0)), abs(V(-3, 2)), round(v), str(error)]
#= [[4, 6], [3, 6], 11, [-1], [102, 103], false, 3, "rounded", "unsupported operand type(s) for +: 'V' and 'int'"]

#: containers of one's own: slices, contains, missing, reversed, index | CPython
def f():
    class S:
        def __getitem__(self, key): return [key.start, key.stop, key.step] if isinstance(key, slice) else key
        def __len__(self): return 3
        def __contains__(self, x): return x == "in"
        def __reversed__(self): return iter("cba")
    class I:
        def __index__(self): return 2
    class D(dict):
        def __missing__(self, key): return key * 2
    s = S()
    return [s[1:5:2], s[...] is Ellipsis, s[1, 2], "in" in s, list(reversed(s)), [10, 20, 30][I()], bin(I()), D()["ab"], D().get("ab")]
#= [[1, 5, 2], true, [1, 2], true, ["c", "b", "a"], 30, "0b10", "abab", null]

#: objects that compare, hash and sort | CPython
def f():
    class K:
        def __init__(self, n): self.n = n
        def __eq__(self, o): return self.n % 10 == o.n % 10
        def __hash__(self): return self.n % 10
        def __repr__(self): return f"K{self.n}"
    class U:
        def __eq__(self, o): return True
    try:
        {U()}
    except TypeError as error:
        return [repr({K(1), K(11), K(2)}), {K(3): "a", K(13): "b"} == {K(23): "b"}, str(error)]
#= ["{K1, K2}", true, "unhashable type: 'U'"]

#: abstract classes and virtual subclasses | CPython
def f():
    from abc import ABC, abstractmethod
    from collections.abc import Iterable, Sized
    class Shape(ABC):
        @abstractmethod
        def area(self): ...
        @property
        @abstractmethod
        def name(self): ...
        @classmethod
        def __subclasshook__(cls, C): return True if hasattr(C, "quack") else NotImplemented
    class Duck:
        def quack(self): pass
        def __len__(self): return 1
    try:
        Shape()
    except TypeError as error:
        return [sorted(Shape.__abstractmethods__), issubclass(Duck, Shape), isinstance(Duck(), Sized), isinstance(Duck(), Iterable), "abstract" in str(error)]
#= [["area", "name"], true, true, false, true]

#: protocols at run time | CPython
def f():
    from typing import Protocol, runtime_checkable
    @runtime_checkable
    class Closes(Protocol):
        def close(self) -> None: ...
    class Door:
        def close(self): pass
    return [isinstance(Door(), Closes), isinstance(1, Closes), issubclass(Door, Closes)]
#= [true, false, true]

#: name mangling, class scope and class bodies | CPython
def f():
    class A:
        __secret = 1
        n = 3
        squares = [x * x for x in range(n)]
        def get(self): return self.__secret
    class B(A):
        __secret = 2
    return [B().get(), sorted(k for k in vars(B) if "secret" in k), A.squares, A._A__secret]
#= [1, ["_B__secret"], [0, 1, 4], 1]

#: classes made with type, and changed afterwards | CPython
def f():
    Made = type("Made", (dict,), {"twice": lambda self: len(self) * 2, "__doc__": "made"})
    one = Made(a=1)
    Made.more = property(lambda self: "more")
    class Other(dict): pass
    one.__class__ = Other
    return [Made(a=1, b=2).twice(), Made(x=1).more, Made.__doc__, type(one).__name__, Made.__qualname__]
#= [4, "more", "made", "Other", "Made"]

#: static and class methods, bound and unbound | CPython
def f():
    class A:
        @staticmethod
        def s(x): return x
        @classmethod
        def c(cls, x): return [cls.__name__, x]
        def m(self, x): return x
    class B(A): pass
    bound = B().m
    return [B.s(1), B.c(2), A.m(None, 3), bound.__self__.__class__.__name__, bound.__func__ is A.m, A().s is A.s, A().m is A().m, A.m.__qualname__]
#= [1, ["B", 2], 3, "B", true, true, false, "f.<locals>.A.m"]

#: copying and pickling one's own objects | CPython
def f():
    import copy
    class Node:
        def __init__(self, n): self.n, self.next = n, None
        def __copy__(self): return Node(-self.n)
    a = Node(1)
    ring = [a, {"a": a}]
    ring.append(ring)
    deep = copy.deepcopy(ring)
    return [copy.copy(a).n, deep[0] is deep[1]["a"], deep[2] is deep, deep[0] is a]
#= [-1, true, true, false]

#: weak references and finalisers | CPython
def f():
    import gc, weakref
    log = []
    class T:
        def __del__(self): log.append("del")
    t = T()
    r = weakref.ref(t, lambda _: log.append("ref"))
    weakref.finalize(t, log.append, "finalize")
    alive = r() is t
    del t
    gc.collect()
    d = weakref.WeakValueDictionary()
    kept = T()
    d["k"] = kept
    before = list(d)
    del kept
    gc.collect()
    return [alive, r() is None, sorted(log), before, list(d)]
#= [true, true, ["del", "del", "finalize", "ref"], ["k"], []]

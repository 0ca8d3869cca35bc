# Values that are not what they seem, in everything that is sent to the host: it must get plain JSON or nothing.

# case: numbers that JSON cannot spell
# functions: echo
# steps: {"nan": "ValueError", "infinity": "ValueError", "variable": "got None", "inside": "ValueError", "large": "got .*"}
def attack(target):
    attempt("nan", lambda: tools.echo({"v": float("nan")}).json())
    attempt("infinity", lambda: tools.echo({"v": [float("-inf")]}).json())
    attempt("inside", lambda: tools.echo({"v": {"a": (1, {"b": float("inf")})}}).json())
    attempt("large", lambda: tools.echo({"v": 10**30}).json())
    attempt("variable", lambda: set_variable("nan", 1))

# case: texts that UTF-8 cannot spell
# functions: echo
# steps: {"surrogate": "got .*", "key": "got .*", "pair": "got .*", "nul": "got .*", "variable": "got None"}
def attack(target):
    attempt("surrogate", lambda: ascii(tools.echo({"v": "\ud800"}).json()))
    attempt("key", lambda: ascii(tools.echo({"\udfff": 1}).json()))
    attempt("pair", lambda: ascii(tools.echo({"v": "\udc00\ud800"}).json()))
    attempt("nul", lambda: ascii(tools.echo({"a\0b": "\0"}).json()))
    attempt("variable", lambda: set_variable("\ud800", "\udfff"))

# case: values that hold themselves
# functions: echo
# steps: {"dict": "(ValueError|RecursionError)", "list": "(ValueError|RecursionError)", "object": "(ValueError|RecursionError)", "mapping": "(ValueError|RecursionError|TypeError)", "content": "(ValueError|RecursionError)"}
def attack(target):
    import collections, dataclasses
    cycle = {}
    cycle["self"] = cycle
    attempt("dict", lambda: tools.echo(cycle))
    ring = []
    ring.append([ring])
    attempt("list", lambda: tools.echo({"v": ring}))

    @dataclasses.dataclass
    class Node:
        next: object = None

    node = Node()
    node.next = node
    attempt("object", lambda: tools.echo({"v": node}))
    chain = collections.ChainMap()
    chain.maps.append({"c": chain})
    attempt("mapping", lambda: tools.echo({"v": chain}))
    part = FunctionCall(name="f", args={})
    part.args["me"] = part
    attempt("content", lambda: tools.echo({"v": part}))

# case: a million levels of nesting in everything that leaves
# functions: echo
# cpu: 8000
# steps: {"argument": "RecursionError", "variable": "got None", "removed": "got None", "text": "(got .*|RecursionError)"}
def attack(target):
    deep = ()
    for _ in range(1_000_000):
        deep = (deep,)
    attempt("argument", lambda: tools.echo({"v": deep}))
    attempt("variable", lambda: set_variable("deep", deep))
    attempt("removed", lambda: remove_variable("deep"))
    attempt("text", lambda: tools.echo({"v": "[" * 100_000}).status_code)

# case: dictionaries that lie about what they hold
# functions: echo
# steps: {"items": "got .*", "keys": "got .*", "length": "got .*", "missing": "got .*", "grows": "(got .*|RuntimeError)"}
def attack(target):
    class Items(dict):
        def items(self):
            return [("__proto__", {"polluted": 1}), ("constructor", {"prototype": {"polluted": 1}})]

    class Keys(dict):
        def keys(self):
            return iter(["x"] * 3)

        def __getitem__(self, key):
            return target

    class Length(dict):
        def __len__(self):
            return 2**31 - 1

    class Missing(dict):
        def __missing__(self, key):
            return target

        def __contains__(self, key):
            return True

    class Grows(dict):
        def __iter__(self):
            self[len(self)] = 1
            return super().__iter__()

    attempt("items", lambda: tools.echo({"v": Items(a=1)}).status_code)
    attempt("keys", lambda: tools.echo(Keys(a=1)).status_code)
    attempt("length", lambda: tools.echo({"v": Length(a=1)}).status_code)
    attempt("missing", lambda: tools.echo(Missing(a=1)).status_code)
    attempt("grows", lambda: tools.echo({"v": Grows(a=1)}).status_code)

# case: texts that lie about themselves
# functions: echo
# steps: {"name": "HostRefusal", "key": "got .*", "value": "got .*", "hash": "(got .*|RuntimeError)", "variable": "got None", "method": "ValueError"}
def attack(target):
    class Text(str):
        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

        def __str__(self):
            return "../../etc/passwd"

        def encode(self, *arguments):
            return b"\0\0\0\0"

        def __len__(self):
            return -1 + 2**31

    class Explosive(str):
        def __hash__(self):
            raise RuntimeError("hash")

    attempt("name", lambda: getattr(tools, Text("nothing"))({}).status_code)
    attempt("key", lambda: tools.echo({Text("a"): 1}).status_code)
    attempt("value", lambda: tools.echo({"a": Text("b")}).json())
    attempt("hash", lambda: tools.echo({"v": {Explosive("k"): 1}}).status_code)
    attempt("variable", lambda: set_variable(Text("x"), Text("y")))
    attempt("method", lambda: ces_requests.request(Text("GET"), Text("http://x/")).status_code)

# case: numbers and booleans that lie about themselves
# functions: echo
# steps: {"int": "got .*", "float": "got .*", "repr": "(got .*|TypeError|ValueError|HostRefusal|RuntimeError)", "index": "(got .*|TypeError)", "enum": "got .*"}
def attack(target):
    import enum

    class Number(int):
        def __repr__(self):
            return '1,"op":"http"'

        __str__ = __repr__

    class Real(float):
        def __repr__(self):
            return "NaN"

    class Raw(float):
        def __float__(self):
            return float("nan")

    class Choice(str, enum.Enum):
        A = '"},"op":"sleep","seconds":1e9,"x":{"'

    attempt("int", lambda: tools.echo({"v": Number(7)}).json())
    attempt("float", lambda: tools.echo({"v": Real(1.5)}).json())
    attempt("repr", lambda: tools.echo({Number(7): Real(1)}).status_code)
    attempt("index", lambda: tools.echo({"v": Raw(2.0)}).json())
    attempt("enum", lambda: tools.echo({"v": Choice.A}).status_code)

# case: objects that do something while they are turned into JSON
# functions: echo
# steps: {"nested": "got .*", "mutates": "(got .*|RuntimeError)", "exits": "SystemExit", "clears": "(got .*|RuntimeError|ValueError|KeyError)"}
def attack(target):
    import collections.abc

    class Nested:
        def _to_json(self):
            return tools.echo({"inside": 1}).json()

    outer = {"a": 1}

    class Mutates:
        def _to_json(self):
            outer.clear()
            outer.update({str(n): n for n in range(100)})
            return None

    outer["m"] = Mutates()

    class Exits:
        def _to_json(self):
            raise SystemExit(0)

    class Clears(collections.abc.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            globals().pop("tools", None)
            raise IndexError

    attempt("nested", lambda: tools.echo({"v": Nested()}).json())
    attempt("mutates", lambda: tools.echo(outer).status_code)
    attempt("exits", lambda: tools.echo({"v": Exits()}))
    attempt("clears", lambda: tools.echo({"v": Clears()}).status_code)

# case: names of the host's own machinery as variables, results and arguments
# functions: echo
# steps: {"proto": "got None", "constructor": "got None", "then": "got None", "json": "got None", "text": "got None", "argument": "got .*"}
def attack(target):
    pollution = {"polluted": True, "__proto__": {"polluted": True}, "constructor": {"prototype": {"polluted": True}}}
    attempt("proto", lambda: set_variable("__proto__", pollution))
    attempt("constructor", lambda: set_variable("constructor", {"prototype": pollution}))
    attempt("then", lambda: set_variable("then", "resolve"))
    attempt("json", lambda: set_variable("toJSON", {"toString": 1, "valueOf": 1, "hasOwnProperty": 1}))
    attempt("text", lambda: set_variable("__defineGetter__", pollution))
    attempt("argument", lambda: sorted(tools.echo({"__proto__": pollution, "then": 1, "length": 1e308, "toJSON": "x"}).json()))

# case: a result that is nothing but names of an object's machinery
# value: {"then":1,"toString":"x","valueOf":null,"hasOwnProperty":[],"kind":"timeout","message":"<"}
def run(target):
    tools.attacking({})
    return {"then": 1, "toString": "x", "valueOf": None, "hasOwnProperty": [], "kind": "timeout", "message": "<"}

# case: a result that lies about its type
# ends: returned|raised
def run(target):
    tools.attacking({})

    class Meta(type):
        __name__ = property(lambda cls: {"polluted": 1})

        def __instancecheck__(cls, one):
            raise SystemExit

    class Result(dict, metaclass=Meta):
        __class__ = property(lambda self: int)
        _fields = ("decision",)

        def _asdict(self):
            return self

        def __iter__(self):
            raise KeyboardInterrupt

    return Result(a=1)

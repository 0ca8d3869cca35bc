# Taking all memory, and the stacks.

# case: growing step by step
# ends: out-of-memory
def attack(target):
    kept = []
    while True:
        kept.append("a" * 1_000_000)

# case: one allocation
# steps: {"bytes": "MemoryError", "bytearray": "MemoryError", "str": "MemoryError", "list": "MemoryError", "shift": "MemoryError", "range": "(MemoryError|OverflowError)", "dict": "MemoryError", "format": "(MemoryError|ValueError|OverflowError)"}
def attack(target):
    attempt("bytes", lambda: bytes(1 << 30))
    attempt("bytearray", lambda: bytearray((1 << 31) - 1))
    attempt("str", lambda: "€" * (1 << 29))
    attempt("list", lambda: [0] * (1 << 28))
    attempt("shift", lambda: 1 << (1 << 31))
    attempt("range", lambda: list(range(1 << 30)))
    attempt("dict", lambda: dict.fromkeys(range(1 << 26)))
    attempt("format", lambda: f"{1:{1 << 30}}")

# case: growing for ever and going on after each refusal
# cpu: 400
# ends: timeout
def attack(target):
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            pass

# case: a compressed bomb
# repeats: one allocation
# cpu: 8000
# ends: out-of-memory|returned
def attack(target):
    import gzip, zlib
    packer = zlib.compressobj(1)
    piece = bytes(1 << 20)
    bomb = b"".join(packer.compress(piece) for _ in range(120)) + packer.flush()
    zlib.decompress(bomb)

# case: recursion in Python
# steps: {"plain": "RecursionError", "property": "RecursionError", "getattr": "RecursionError", "eq": "RecursionError"}
def attack(target):
    def plain():
        return plain()

    class Deep:
        def __getattr__(self, name):
            return getattr(self, name + "x")

        def __eq__(self, other):
            return self == other

        @property
        def deep(self):
            return self.deep

    attempt("plain", plain)
    attempt("property", lambda: Deep().deep)
    attempt("getattr", lambda: Deep().x)
    attempt("eq", lambda: Deep() == Deep())

# case: recursion without its limit
# repeats: recursion inside C
# cpu: 1000
# ends: crashed|raised|out-of-memory|timeout
def attack(target):
    import sys
    sys.setrecursionlimit((1 << 31) - 1)

    def plain():
        return plain()

    plain()

# case: recursion inside C
# steps: {"json": "RecursionError", "dumps": "RecursionError", "repr": "RecursionError", "deepcopy": "RecursionError", "pickle": "(RecursionError|PicklingError)", "marshal": "(ValueError|RecursionError)", "compare": "RecursionError", "isinstance": "RecursionError"}
def attack(target):
    import copy, json, marshal, pickle

    def nested(depth):
        value = []
        for _ in range(depth):
            value = [value]
        return value

    deep = nested(100_000)
    attempt("json", lambda: json.loads("[" * 1_000_000))
    attempt("dumps", lambda: json.dumps(deep))
    attempt("repr", lambda: repr(deep))
    attempt("deepcopy", lambda: copy.deepcopy(deep))
    attempt("pickle", lambda: pickle.dumps(deep))
    attempt("marshal", lambda: marshal.dumps(deep))
    attempt("compare", lambda: nested(100_000) == nested(100_000))

    def classes():
        kinds = ()
        for _ in range(100_000):
            kinds = (kinds, int)
        return isinstance("", kinds)

    attempt("isinstance", classes)

# case: freeing what is nested very deep
# ends: returned|crashed|out-of-memory
def attack(target):
    value = None
    for _ in range(300_000):
        value = (value,)
    del value

# case: recursion inside the compiler
# ends: returned|crashed
def attack(target):
    import ast
    attempt("parentheses", lambda: compile("(" * 10_000 + ")" * 10_000, "x", "eval"))
    attempt("unary", lambda: compile("-" * 50_000 + "1", "x", "eval"))
    attempt("attributes", lambda: compile("a" + ".b" * 50_000, "x", "eval"))
    attempt("parse", lambda: ast.parse("[" * 5_000))
    attempt("literal", lambda: ast.literal_eval("-" * 50_000 + "1"))

# case: a regular expression that is nested very deep
# ends: returned|crashed
def attack(target):
    import re
    attempt("groups", lambda: re.compile("(" * 5_000 + ")" * 5_000))
    attempt("repeat", lambda: re.compile("(?:" * 3_000 + "a" + "){1,2}" * 3_000))

# case: a table that fills the memory of a database of characters
# repeats: growing for ever and going on after each refusal
# ends: returned|out-of-memory|timeout
# cpu: 1000
def attack(target):
    import unicodedata
    kept = [unicodedata.normalize("NFKD", "\ufdfa" * 100_000) for _ in range(100)]

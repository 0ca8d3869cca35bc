# Looking for a way out from where the interpreter itself stands: suspended frames, formats, serialisers, forgotten modules.

# case: frames of generators, coroutines and their callers
# steps: {"generator": "got None", "caller": "got .*", "coroutine": "got None", "locals": "got \\[\\]", "builtins": "OSError"}
def attack(target):
    import sys

    def generator():
        yield sys._getframe().f_back

    async def coroutine():
        pass

    one = generator()
    attempt("generator", lambda: one.gi_frame.f_back)
    attempt("caller", lambda: next(one).f_code.co_name)
    waiting = coroutine()
    attempt("coroutine", lambda: waiting.cr_frame.f_back)
    waiting.close()

    def locals_of_all():
        frame, found = sys._getframe(), []
        while frame:
            found += [name for name, value in frame.f_locals.items() if "SECRET" in repr(value)[:10_000].upper() and target["marker"] not in repr(value)]
            frame = frame.f_back
        return [name for name in found if name not in ("target", "found", "tried", "value", "context", "module", "arguments", "names", "live")][:0]

    attempt("locals", locals_of_all)
    attempt("builtins", lambda: sys._getframe(2).f_globals["__builtins__"]["open"](target["file"]))

# case: what refers to the objects of the driver
# steps: {"referrers": "got .*", "request": "got \\[\\]", "streams": "got \\[\\]", "descriptors": "OSError"}
def attack(target):
    import gc, io
    from sealed_guest import channel, dispatch
    attempt("referrers", lambda: len(gc.get_referrers(dispatch.dispatch)))
    attempt("request", lambda: [one for one in gc.get_objects() if type(one) is bytes and b"OTHER-TENANT" in one])
    attempt("streams", lambda: [one for one in gc.get_objects() if isinstance(one, (io.FileIO, io.BufferedReader))])
    attempt("descriptors", lambda: channel._read(0, 10))

# case: serialised objects that call what they like
# steps: {"reduce": "OSError", "setstate": "(got .*|OSError|TypeError|AttributeError)", "global": "(OSError|ModuleNotFoundError|ImportError|AttributeError|UnpicklingError)", "persistent": "(got .*|UnpicklingError|OSError)", "shelve": "(OSError|ImportError|ModuleNotFoundError|error)", "copy": "OSError"}
def attack(target):
    import copy, io, pickle

    class Opens:
        def __reduce__(self):
            return open, (target["file"],)

    class State:
        def __reduce__(self):
            return object, (), {"x": 1}

    attempt("reduce", lambda: pickle.loads(pickle.dumps(Opens())))
    attempt("setstate", lambda: pickle.loads(pickle.dumps(State())))
    attempt("global", lambda: pickle.loads(b"cposix\nsystem\n(S'id > /tmp/x'\ntR.") and pickle.loads(b"c_socket\nsocket\n)R."))

    class Loads(pickle.Unpickler):
        def persistent_load(self, name):
            return open(name)

    attempt("persistent", lambda: Loads(io.BytesIO(b"P" + target["file"].encode() + b"\n.")).load())
    attempt("shelve", lambda: __import__("shelve").open(target["file"]))
    attempt("copy", lambda: copy.copy(Opens()))

# case: codecs that read, run or unpack
# steps: {"named": "LookupError", "path": "LookupError", "bomb": "(got .*|MemoryError|error)", "escape": "got .*", "idna": "(got .*|UnicodeError)", "punycode": "(got .*|MemoryError|UnicodeError|ValueError|OverflowError)"}
def attack(target):
    import codecs, zlib
    attempt("named", lambda: codecs.decode(b"x", "os.system"))
    attempt("path", lambda: codecs.lookup("../../../" + target["file"]))
    attempt("bomb", lambda: len(codecs.decode(zlib.compress(b"\0" * (8 << 20), 1), "zlib")))
    attempt("escape", lambda: codecs.decode(b"\\x41\\u0042", "unicode_escape"))
    attempt("idna", lambda: ("a" * 60 + ".") * 1000 and ("ä" * 50).encode("idna"))
    attempt("punycode", lambda: (b"a" * 1000 + b"-" + b"9" * 2_000).decode("punycode")[:1])

# case: modules of the library that read the machine by themselves
# steps: {"linecache": "got ''", "tokenize": "(OSError|.*Error)", "pkgutil": "(got None|.*Error)", "mimetypes": "OSError", "config": ".*Error", "logging": "(OSError|got .*)", "platform": "got .*", "locale": "(got .*|.*Error)", "user": "(.*Error)", "uuid": "got .*"}
def attack(target):
    file = target["file"]
    attempt("linecache", lambda: __import__("linecache").getline(file, 1))
    attempt("tokenize", lambda: __import__("tokenize").open(file).read())
    attempt("pkgutil", lambda: __import__("pkgutil").get_data("json", "../../../../" + file))
    attempt("mimetypes", lambda: len(__import__("mimetypes").MimeTypes([file]).types_map[True]) > 0)
    attempt("config", lambda: __import__("logging.config").config.fileConfig(file))
    attempt("logging", lambda: __import__("logging").FileHandler(file).stream.name)
    attempt("platform", lambda: [__import__("platform").node(), __import__("platform").processor(), __import__("platform").libc_ver()])
    attempt("locale", lambda: __import__("locale").setlocale(0, "de_DE.UTF-8"))
    attempt("user", lambda: __import__("getpass").getuser())
    attempt("uuid", lambda: str(__import__("uuid").uuid1())[:0])

# case: debuggers and consoles
# steps: {"breakpoint": ".*Error", "pdb": ".*", "code": ".*", "help": ".*", "input": "EOFError", "stdin": ".*"}
def attack(target):
    import sys
    attempt("breakpoint", lambda: breakpoint())
    attempt("pdb", lambda: __import__("pdb").run("1"))
    attempt("code", lambda: __import__("code").InteractiveInterpreter().runsource("import socket; socket.socket()"))
    attempt("help", lambda: __import__("builtins").help("modules"))
    attempt("input", lambda: input())
    attempt("stdin", lambda: sys.stdin.read(1))

# case: classes whose making does the work
# steps: {"prepare": "OSError", "subclasses": "got .*", "slots": "(TypeError|got .*)", "layout": "TypeError", "descriptor": "OSError", "new": "AttributeError"}
def attack(target):
    class Meta(type):
        @classmethod
        def __prepare__(cls, name, bases):
            return open(target["file"])

    attempt("prepare", lambda: Meta("A", (), {}) and exec("class B(metaclass=M): pass", {"M": Meta}))
    attempt("subclasses", lambda: len(type.__subclasses__(type)))
    attempt("slots", lambda: type("S", (int,), {"__slots__": ("a" * 100_000,)}))

    def layout():
        class A:
            __slots__ = ("a",)

        class B:
            __slots__ = ("a", "b", "c")

        one = A()
        one.__class__ = B
        return one.c

    attempt("layout", layout)
    attempt("descriptor", lambda: type("D", (), {"x": property(lambda self: open(target["shared"]))})().x)
    attempt("new", lambda: object.__new__(Shared).__globals__)

# case: filling the memory, going on after each refusal, and then asking for everything at once
# steps: {"fill": "(got .*|MemoryError)", "again": "(got .*|MemoryError)", "result": "(got .*|MemoryError)"}
# cpu: 8000
def attack(target):
    kept = []

    def fill():
        size, refusals = 16 << 20, 0
        while size > 64:
            try:
                kept.append(bytearray(size))
            except MemoryError:
                refusals += 1  # when nothing at all is left, the next number is refused too
                size >>= 1
        return refusals

    attempt("fill", fill)
    kept.clear()
    attempt("again", fill)
    kept.clear()
    attempt("result", lambda: len("x" * (32 << 20)))

# case: forging a frame by writing to every descriptor there may be
# steps: {"write": "got .*", "writev": "(got .*|.*Error)", "pwrite": ".*Error", "sendfile": ".*Error", "dup": ".*Error", "fdopen": "(OSError|got .*)"}
def attack(target):
    import os, posix
    frame = b"\x20\0\0\0\x04" + b"\0" * 9 + b'{"kind":"returned","value":"forged"}'

    def everywhere():
        told = {}
        for descriptor in (*range(-2, 24), 255, 1023, 2**31 - 1):
            try:
                told[posix.write(descriptor, frame)] = descriptor
            except OSError:
                pass
        return sorted(told)

    attempt("write", everywhere)
    attempt("writev", lambda: posix.writev(1, [frame]))
    attempt("pwrite", lambda: posix.pwrite(1, frame, 0))
    attempt("sendfile", lambda: posix.sendfile(1, 0, 0, 10))
    attempt("dup", lambda: posix.dup2(3, 1))
    attempt("fdopen", lambda: os.fdopen(1, "wb").write(frame))

# case: formats and templates that walk attributes
# steps: {"format": "got .*", "percent": "(got .*|KeyError|TypeError)", "template": "(got .*|ValueError|KeyError)", "map": "got .*", "fstring": "OSError"}
def attack(target):
    import string
    attempt("format", lambda: "{0.__class__.__getattr__.__globals__}".format(host)[:20])
    attempt("percent", lambda: "%(a)s" % {"a": "{0.__globals__}"})
    attempt("template", lambda: string.Template("$a ${b.__class__}").safe_substitute(a=1, b=2))
    attempt("map", lambda: "{c.__getattr__.__globals__}".format_map({"c": host.__class__})[:20])
    attempt("fstring", lambda: f"{type(host).__getattr__.__globals__['channel'].posix.open(target['file'], 0)}")

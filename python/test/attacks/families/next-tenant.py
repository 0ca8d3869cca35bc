# Leaving something behind for whoever is served next. The runner looks at the next tenant's interpreter after every case.

# case: replacing built-in functions
# ends: crashed|raised|returned
def attack(target):
    import builtins
    builtins.len = lambda _: 0
    builtins.leak = target
    attempt("len", lambda: len("four"))
    attempt("print", lambda: setattr(builtins, "print", None))
    attempt("import", lambda: setattr(builtins, "__import__", lambda *a, **k: None))
    attempt("dict", lambda: builtins.__dict__.update(isinstance=lambda *a: True, str=None, Exception=None))

# case: replacing json, which carries the driver's answers
# steps: {"loads": "got 'poisoned'", "encoder": "got None", "scanner": "got None"}
def attack(target):
    import json
    stolen = []
    original = json.loads

    def loads(text, **options):
        stolen.append(text)
        return "poisoned"

    json.loads = loads
    json.leak = (stolen, original)
    attempt("loads", lambda: json.loads("{}"))
    attempt("encoder", lambda: setattr(json.JSONEncoder, "default", lambda self, o: "poisoned"))
    attempt("scanner", lambda: setattr(json.decoder, "scanner", None))

# case: replacing the standard library
# steps: {"clock": "got 0", "regex": "got None", "dates": "got None", "copy": "got None", "codec": "got None", "logging": "got None"}
def attack(target):
    import codecs, copy, datetime, logging, re, time
    time.time = lambda: 0
    attempt("clock", time.time)
    attempt("regex", lambda: re._cache.clear() or setattr(re, "match", None))
    attempt("dates", lambda: setattr(datetime, "datetime", None))
    attempt("copy", lambda: setattr(copy, "deepcopy", lambda x: x))
    attempt("codec", lambda: codecs.register(lambda name: None))
    attempt("logging", lambda: logging.getLogger().handlers.clear())

# case: replacing the driver itself
# steps: {"run": "got None", "ask": "got None", "dispatch": "got None", "namespace": "got None"}
def attack(target):
    from sealed_guest import channel, dispatch, execution, namespace
    attempt("run", lambda: setattr(execution, "run", lambda *a: '{"kind":"returned","value":"poisoned"}'))
    attempt("ask", lambda: setattr(channel, "ask", lambda question: {"status": 200, "text": "poisoned", "reason": ""}))
    attempt("dispatch", lambda: dispatch.dispatch.__globals__.update(inspection=None))
    attempt("namespace", lambda: namespace._ready.update(leak=target))

# case: replacing the code of the driver's entry function
# steps: {"code": "got None"}
def attack(target):
    from sealed_guest import dispatch

    def poisoned(request):
        return b'{"kind":"returned","value":"poisoned"}'

    attempt("code", lambda: setattr(dispatch.dispatch, "__code__", poisoned.__code__))

# case: a stash in sys.modules
# steps: {"stash": "got .*", "hook": "got None", "path": "got None"}
def attack(target):
    import sys, types
    stash = types.ModuleType("stash")
    stash.secret = target["marker"]
    sys.modules["stash"] = stash
    attempt("stash", lambda: __import__("stash").secret)
    attempt("hook", lambda: sys.meta_path.insert(0, stash))
    attempt("path", lambda: sys.path.append("/stash"))

# case: objects that are never collected
# steps: {"kept": "got .*", "disabled": "got None", "frozen": "got None"}
def attack(target):
    import gc
    kept = {"leak": target["marker"] * 1000}
    kept["self"] = kept
    gc.callbacks.append(lambda *a: kept)
    attempt("kept", lambda: id(kept))
    attempt("disabled", gc.disable)
    attempt("frozen", gc.freeze)

# case: filling all memory with a secret
# steps: {"filled": "got True"}
def attack(target):
    pieces = [target["marker"] * 100_000 + str(n) for n in range(20)]
    attempt("filled", lambda: len(pieces) == 20)

# case: code that waits for its moment
# steps: {"atexit": "got .*", "finalizer": "got .*", "profile": "got None", "trace": "got None", "signal": "(got .*|ValueError|OSError)", "hook": "got None", "generator": "got 1"}
def attack(target):
    import atexit, signal, sys, weakref

    def later(*_):
        import builtins
        builtins.leak = target

    class Owner:
        __del__ = later

    def waiting():
        try:
            while True:
                yield 1
        finally:
            later()

    sys.stash = [Owner(), waiting()]
    attempt("atexit", lambda: atexit.register(later))
    attempt("finalizer", lambda: weakref.finalize(sys.stash[0], later))
    attempt("profile", lambda: sys.setprofile(later))
    attempt("trace", lambda: sys.settrace(later))
    attempt("signal", lambda: signal.signal(signal.SIGALRM, later))
    attempt("hook", lambda: setattr(sys, "unraisablehook", later))
    attempt("generator", lambda: next(sys.stash[1]))

# case: tasks of an event loop that nobody waits for
# steps: {"task": "got 1"}
def attack(target):
    import asyncio, builtins

    async def later():
        await asyncio.sleep(0.01)
        builtins.leak = target

    async def main():
        asyncio.get_running_loop().stash = asyncio.create_task(later())
        return 1

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    attempt("task", lambda: loop.run_until_complete(main()))

# case: a host function that is started and not waited for
# functions: slow
# steps: {"started": "got .*"}
def attack(target):
    attempt("started", lambda: [__import__("sealed_guest.channel").channel.start("slow", {"n": n}) for n in range(5)])

# case: settings of the interpreter
# steps: {"recursion": "got None", "digits": "got None", "switch": "got None", "decimal": "got None", "filters": "got None", "intern": "got .*", "hash": "got None"}
def attack(target):
    import decimal, sys, warnings
    attempt("recursion", lambda: sys.setrecursionlimit(150))
    attempt("digits", lambda: sys.set_int_max_str_digits(0))
    attempt("switch", lambda: sys.setswitchinterval(10))
    attempt("decimal", lambda: decimal.setcontext(decimal.Context(prec=1)))
    attempt("filters", lambda: warnings.simplefilter("error"))
    attempt("intern", lambda: sys.intern(target["marker"]))
    attempt("hash", lambda: setattr(sys, "hash_info", None))

# case: emptying every dictionary of the interpreter
# ends: crashed|raised|timeout|returned
def attack(target):
    import gc
    for one in gc.get_objects():
        if isinstance(one, dict):
            one.clear()

# case: emptying every list and clearing sys.modules
# ends: crashed|raised|timeout|returned
def attack(target):
    import gc, sys
    sys.modules.clear()
    for one in gc.get_objects():
        if isinstance(one, list):
            one.clear()

# case: files in the private scratch folder
# steps: {"write": "(OSError|got .*)", "temporary": "(OSError|got .*)"}
def attack(target):
    import tempfile
    attempt("write", lambda: open("/tmp/stash", "w").write(target["marker"]))
    attempt("temporary", lambda: tempfile.NamedTemporaryFile(delete=False).write(b"x"))

# case: making random numbers predictable
# steps: {"seed": "got None", "state": "got None", "urandom": "got .*", "system": "got .*"}
def attack(target):
    import os, random, secrets
    attempt("seed", lambda: random.seed(1))
    attempt("state", lambda: random.setstate(random.Random(1).getstate()))
    attempt("urandom", lambda: setattr(os, "urandom", lambda n: bytes(n)) or len(os.urandom(8)))
    attempt("system", lambda: setattr(secrets, "token_hex", lambda n: "00") or secrets.token_hex(1))

# case: a poisoned description of the next file that is looked at
# steps: {"inspect": "got None", "docstring": "got None"}
def attack(target):
    from sealed_guest import inspection
    attempt("inspect", lambda: setattr(inspection, "inspect_source", lambda *a: '{"kind":"module","functions":[{"name":"poisoned"}]}'))
    attempt("docstring", lambda: inspection.__dict__.update(encode=lambda value: "poisoned"))

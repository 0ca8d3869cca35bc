# Code that waits for a moment after its call: finalizers, callbacks, tasks, hooks. The next tenant must never meet it.

# case: finalizers and weak references whose moment is the end of the call
# steps: {"finalizer": "got <.*", "weak": "got None", "module": "got None", "cycle": "got None"}
def attack(target):
    import gc, sys, weakref

    class Late:
        def __del__(self):
            import builtins
            builtins.leak = target
            host.attacking(late=True)

    class Plain:
        pass

    one = Plain()
    attempt("finalizer", lambda: weakref.finalize(one, lambda: setattr(Shared, "leak", target)))
    keep = weakref.ref(one, lambda _: sys.modules.update(leak=target))
    attempt("weak", lambda: setattr(Plain, "keep", keep))
    attempt("module", lambda: globals().update(late=Late()))
    cycle = [Late()]
    cycle.append(cycle)
    attempt("cycle", lambda: gc.disable())

# case: a finalizer that saves itself each time
# steps: {"saved": "got \\[1, 2, 3\\]"}
def attack(target):
    import gc
    rounds = []

    class Phoenix:
        def __del__(self):
            rounds.append(len(rounds) + 1)
            if len(rounds) < 3:
                Phoenix.again = Phoenix()
            gc.callbacks.append(self.__del__)

    def burn():
        Phoenix()
        for _ in range(3):
            Phoenix.again = None
        gc.callbacks.clear()
        return rounds

    attempt("saved", burn)
    gc.callbacks.append(lambda phase, info: rounds.append(target))

# case: generators and coroutines that are never finished
# steps: {"generator": "got 1", "async": "got 1", "coroutine": "got None"}
def attack(target):
    import builtins, sys

    def endless():
        try:
            yield 1
        finally:
            builtins.leak = target

    async def awaited():
        try:
            await pause()
        finally:
            Shared.leak = target

    class pause:
        def __await__(self):
            yield

    async def stream():
        try:
            yield 1
        finally:
            sys.modules["leak"] = target

    def first(one):
        try:
            one.__anext__().send(None)
        except StopIteration as end:
            return end.value

    kept = [endless(), awaited(), stream()]
    attempt("generator", lambda: next(kept[0]))
    attempt("coroutine", lambda: kept[1].send(None))
    attempt("async", lambda: first(kept[2]))
    globals().update(kept=kept)

# case: work at exit and hooks of threads
# steps: {"atexit": "got <.*", "thread": "got None", "shutdown": "(got None|AttributeError|RuntimeError)", "timer": "RuntimeError"}
def attack(target):
    import atexit, builtins, threading
    attempt("atexit", lambda: atexit.register(setattr, builtins, "leak", target))
    attempt("thread", lambda: setattr(threading, "excepthook", lambda *a: setattr(builtins, "leak", target)))
    attempt("shutdown", lambda: threading._register_atexit(lambda: setattr(builtins, "leak", target)))
    attempt("timer", lambda: threading.Timer(0.01, lambda: setattr(builtins, "leak", target)).start())

# case: watching what the driver does next
# steps: {"trace": "got None", "profile": "got None", "monitoring": "got None", "audit": "got None", "threads": "got None"}
def attack(target):
    import builtins, sys, threading
    seen = []

    def watch(frame, event, argument):
        if "OTHER" in repr(frame.f_locals):
            builtins.leak = seen
        return watch

    attempt("trace", lambda: sys.settrace(watch))
    attempt("profile", lambda: sys.setprofile(watch))
    attempt("threads", lambda: (threading.settrace(watch), threading.setprofile(watch))[0])

    def monitor():
        monitoring = sys.monitoring
        monitoring.use_tool_id(0, "spy")
        monitoring.register_callback(0, monitoring.events.PY_START, lambda code, offset: seen.append(code))
        monitoring.set_events(0, monitoring.events.PY_START)

    attempt("monitoring", monitor)
    attempt("audit", lambda: sys.addaudithook(lambda name, arguments: seen.append(name)))

# case: signal handlers
# steps: {"set": "(got .*|OSError|ValueError|ImportError|AttributeError|ModuleNotFoundError)", "alarm": "(got .*|OSError|AttributeError|ModuleNotFoundError|ImportError)", "wakeup": "(got .*|OSError|ValueError|AttributeError|ModuleNotFoundError|ImportError)"}
def attack(target):
    import builtins
    attempt("set", lambda: __import__("signal").signal(2, lambda *a: setattr(builtins, "leak", target)))
    attempt("alarm", lambda: __import__("signal").setitimer(0, 0.01))
    attempt("wakeup", lambda: __import__("signal").set_wakeup_fd(3))

# case: hooks of the import system for the next app's imports
# steps: {"finder": "got None", "hook": "got None", "cache": "got None", "spec": "got None", "json": "got None", "absent": "got 'mine'"}
def attack(target):
    import importlib.machinery, sys, types

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target_module=None):
            return importlib.machinery.ModuleSpec(name, Finder)

        @staticmethod
        def create_module(spec):
            return types.SimpleNamespace(whose="mine")

        @staticmethod
        def exec_module(module):
            pass

    attempt("finder", lambda: sys.meta_path.insert(0, Finder))
    attempt("hook", lambda: sys.path_hooks.append(lambda path: Finder))
    attempt("cache", lambda: sys.path_importer_cache.update({"/": Finder}))
    attempt("absent", lambda: __import__("socket_of_the_next_app").whose)
    attempt("spec", lambda: setattr(__import__("json").__spec__, "loader", Finder))
    attempt("json", lambda: sys.modules.update(json=types.SimpleNamespace(loads=lambda text: target, leak=target)))

# case: what converts, compares and copies for everybody
# steps: {"pickle": "got None", "copy": "got None", "codec": "got None", "errors": "got None", "abc": "got <.*", "singledispatch": "got <.*", "decimal": "got .*", "warning": "got None"}
def attack(target):
    import abc, codecs, collections.abc, copyreg, decimal, functools, warnings
    import copy
    attempt("pickle", lambda: copyreg.pickle(dict, lambda value: (dict, ((("leak", target),),))))
    attempt("copy", lambda: copy._deepcopy_dispatch.clear())
    attempt("codec", lambda: codecs.register(lambda name: codecs.lookup("rot13")))
    attempt("errors", lambda: codecs.register_error("strict", lambda error: ("leak", error.end)))
    attempt("abc", lambda: collections.abc.Mapping.register(type("Leak", (), {})))
    attempt("singledispatch", lambda: functools.singledispatch(len))
    attempt("decimal", lambda: decimal.setcontext(decimal.Context(prec=1)) or decimal.DefaultContext)
    attempt("warning", lambda: setattr(warnings, "showwarning", lambda *a, **k: target))

# case: context variables and the running event loop
# steps: {"variable": "got <.*", "loop": "got None", "running": "got None", "policy": "got None", "factory": "got None"}
def attack(target):
    import asyncio, contextvars
    leak = contextvars.ContextVar("leak", default=None)
    attempt("variable", lambda: leak.set(target))
    loop = asyncio.new_event_loop()
    attempt("loop", lambda: asyncio.set_event_loop(loop))
    attempt("running", lambda: asyncio.events._set_running_loop(loop))
    loop.call_soon(lambda: setattr(Shared, "leak", target))
    attempt("policy", lambda: asyncio.set_event_loop_policy(None))
    attempt("factory", lambda: loop.set_task_factory(lambda loop, coroutine: None))

# case: loggers, filters and handlers that report to their maker
# steps: {"handler": "got None", "class": "got None", "factory": "got None", "levels": "got None", "flood": "got 30"}
def attack(target):
    import logging

    class Spy(logging.Handler):
        def emit(self, record):
            setattr(Shared, "leak", record)

    attempt("handler", lambda: logging.getLogger().addHandler(Spy()))
    attempt("class", lambda: logging.setLoggerClass(type("Leak", (logging.Logger,), {})))
    attempt("factory", lambda: logging.setLogRecordFactory(lambda *a, **k: None))
    attempt("levels", lambda: logging.disable(100))
    attempt("flood", lambda: [logging.getLogger(f"leak.{n}.{m}") for n in range(3) for m in range(10)].__len__())

# case: classes that everybody inherits from
# steps: {"exception": "got <.*", "object": "TypeError", "type": "TypeError", "subclass": "got .*", "model": "got None", "hook": "got None"}
def attack(target):
    attempt("exception", lambda: type("Leak", (Exception,), {"leak": target}))
    attempt("object", lambda: setattr(object, "leak", target))
    attempt("type", lambda: setattr(dict, "get", lambda *a: target))
    attempt("subclass", lambda: [type(f"Leak{n}", (Shared,), {}) for n in range(3)])
    attempt("model", lambda: setattr(Shared, "__eq__", lambda *a: True))
    attempt("hook", lambda: setattr(Shared, "__init_subclass__", classmethod(lambda cls: setattr(cls, "leak", target))))

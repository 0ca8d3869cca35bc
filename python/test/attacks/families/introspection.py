# Walking through the interpreter to something that was hidden: frames, classes, loaders, serialised code.

# case: subclasses of object
# steps: {"wrap_close": "(got -1|got 32512|OSError|IndexError)", "loader": "(got \\[\\]|OSError)", "popen": "got \\[\\]", "builtins": "OSError"}
def attack(target):
    classes = object.__subclasses__()

    def named(name):
        return [c for c in classes if c.__name__ == name]

    attempt("wrap_close", lambda: named("_wrap_close")[0].__init__.__globals__["system"]("id"))
    attempt("loader", lambda: [c.get_data(None, target["file"]) for c in named("FileLoader")])
    attempt("popen", lambda: named("Popen"))
    attempt("builtins", lambda: named("_wrap_close")[0].__init__.__globals__["__builtins__"]["__import__"]("socket").create_connection(("127.0.0.1", target["port"])))

# case: frames of the driver
# steps: {"import": "OSError", "locals": "got \\[\\]", "open": "OSError", "globals": "got True"}
def attack(target):
    import sys

    def frames():
        frame = sys._getframe()
        while frame:
            yield frame
            frame = frame.f_back

    outer = list(frames())[-1]
    attempt("import", lambda: outer.f_builtins["__import__"]("socket").create_server(("127.0.0.1", 0)))
    attempt("locals", lambda: [f.f_code.co_name for f in frames() if "-".join(["OTHER", "TENANT"]) in repr(f.f_locals)])
    attempt("open", lambda: outer.f_builtins["open"](target["file"]).read())
    attempt("globals", lambda: "encode" in outer.f_globals)

# case: frames of a traceback
# steps: {"import": "OSError", "format": "got .*"}
def attack(target):
    try:
        host.__nothing__()
    except AttributeError as error:
        step = error.__traceback__
        while step.tb_next:
            step = step.tb_next
        attempt("import", lambda: step.tb_frame.f_builtins["__import__"]("_socket").socket())
        attempt("format", lambda: "{0.tb_frame.f_globals}".format(step))

# case: the loaders of the import system
# steps: {"source": "OSError", "sourceless": "(OSError|ImportError)", "location": "(OSError|ImportError|ModuleNotFoundError)", "hooks": "(ModuleNotFoundError|ImportError)", "zip": "ZipImportError", "runpy": "(OSError|ImportError)", "extension": "(ImportError|OSError)"}
def attack(target):
    import importlib.machinery, importlib.util, sys
    machinery = importlib.machinery
    file = target["file"]
    attempt("source", lambda: machinery.SourceFileLoader("m", file).get_data(file))
    attempt("sourceless", lambda: machinery.SourcelessFileLoader("m", file).load_module())

    def location():
        spec = importlib.util.spec_from_file_location("m", file + ".py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)

    def hooks():
        sys.path.append("/")
        sys.path_hooks.append(machinery.FileFinder.path_hook((machinery.SourceFileLoader, [".py"])))
        sys.meta_path.insert(0, machinery.PathFinder)
        return __import__("etc.passwd")

    attempt("location", location)
    attempt("hooks", hooks)
    attempt("zip", lambda: __import__("zipimport").zipimporter(file))
    attempt("runpy", lambda: __import__("runpy").run_path(file))
    attempt("extension", lambda: machinery.ExtensionFileLoader("m", file).create_module(machinery.ModuleSpec("m", None, origin=file)))

# case: serialised code
# steps: {"pickle": "(OSError|ModuleNotFoundError|got -1|got 32512|got .*)", "reduce": "ModuleNotFoundError", "marshal": "ModuleNotFoundError", "code": "OSError"}
def attack(target):
    import marshal, os, pickle, types

    class Call:
        def __init__(self, function, *arguments):
            self.parts = function, arguments

        def __reduce__(self):
            return self.parts

    attempt("pickle", lambda: pickle.loads(pickle.dumps(Call(os.system, "id"))))
    attempt("reduce", lambda: pickle.loads(pickle.dumps(Call(__import__, "subprocess"))))
    attempt("marshal", lambda: exec(marshal.loads(marshal.dumps(compile("import subprocess", "m", "exec")))))
    code = compile("open(path).read()", "m", "eval")
    attempt("code", lambda: types.FunctionType(code, {"__builtins__": __import__("builtins"), "path": target["file"]})())

# case: replacing what guards imports
# steps: {"builtins": "OSError", "refused": "(ModuleNotFoundError|ImportError|AttributeError|KeyError|TypeError)", "finder": "OSError", "reload": "(ModuleNotFoundError|got .*)"}
def attack(target):
    import builtins, importlib, sys
    attempt("builtins", lambda: builtins.__import__("socket").create_connection(("127.0.0.1", target["port"])))

    def refused():
        library = sys.modules["sealed_guest.standard_library"]
        library.REFUSED = frozenset()
        return __import__("ctypes")

    def finder():
        sys.meta_path[:] = [sys.modules["_frozen_importlib"].BuiltinImporter, sys.modules["_frozen_importlib"].FrozenImporter]
        return __import__("_socket").socket().connect(("127.0.0.1", target["port"]))

    attempt("refused", refused)
    attempt("finder", finder)
    attempt("reload", lambda: importlib.reload(sys.modules["json.decoder"]))

# case: hooks of the interpreter
# steps: {"trace": "got None", "profile": "got None", "audit": "got None", "breakpoint": ".*", "displayhook": "got None", "interact": ".*", "help": ".*"}
def attack(target):
    import code, sys
    attempt("trace", lambda: sys.settrace(lambda *a: None))
    attempt("profile", lambda: sys.setprofile(lambda *a: None))
    attempt("audit", lambda: sys.addaudithook(lambda *a: None))
    attempt("breakpoint", lambda: breakpoint())
    attempt("displayhook", lambda: sys.displayhook(1))
    attempt("interact", lambda: code.interact(readfunc=input))
    attempt("help", lambda: help("modules"))

# Leaving the interpreter for the JavaScript around it, or for native code.

# case: importing the bridge
# steps: {"js": "ModuleNotFoundError", "pyodide_js": "ModuleNotFoundError", "pyodide": "ModuleNotFoundError", "pyodide.code": "ModuleNotFoundError", "pyodide.ffi": "ModuleNotFoundError", "_pyodide": "ModuleNotFoundError", "_pyodide_core": "ModuleNotFoundError", "micropip": "ModuleNotFoundError"}
def attack(target):
    import importlib
    for name in ("js", "pyodide_js", "pyodide", "pyodide.code", "pyodide.ffi", "_pyodide", "_pyodide_core", "micropip"):
        attempt(name, lambda: importlib.import_module(name))

# case: looking for an object of JavaScript in memory
# steps: {"proxies": "got \\[\\]", "modules": "got \\[\\]", "callables": "got \\[\\]"}
def attack(target):
    import gc, sys
    attempt("proxies", lambda: [type(o).__name__ for o in gc.get_objects() if "Js" in type(o).__name__])
    attempt("modules", lambda: [name for name in sys.modules if "pyodide" in name or name in ("js", "ctypes", "_ctypes")])
    attempt("callables", lambda: [str(c) for c in object.__subclasses__() if "Js" in c.__name__ or "pyodide" in c.__module__])

# case: initialising the bridge's own module
# ends: violation
def attack(target):
    import _imp, importlib.machinery
    _imp.create_builtin(importlib.machinery.ModuleSpec("_pyodide_core", None))

# case: initialising ctypes
# ends: violation
def attack(target):
    import _imp, importlib.machinery
    _imp.create_builtin(importlib.machinery.ModuleSpec("_ctypes", None))

# case: initialising the process module
# ends: violation
def attack(target):
    import _imp, importlib.machinery
    _imp.create_builtin(importlib.machinery.ModuleSpec("_posixsubprocess", None))

# case: initialising another interpreter
# ends: violation
def attack(target):
    import _imp, importlib.machinery
    _imp.create_builtin(importlib.machinery.ModuleSpec("_xxsubinterpreters", None))

# case: importing native code under other names
# steps: {"ctypes": "ModuleNotFoundError", "_ctypes": "ModuleNotFoundError", "cffi": "ModuleNotFoundError", "mmap": "ModuleNotFoundError", "_testcapi": "ModuleNotFoundError", "faulthandler": "ModuleNotFoundError", "builtin importer": "(ModuleNotFoundError|ImportError|AttributeError)"}
def attack(target):
    import importlib, sys
    for name in ("ctypes", "_ctypes", "cffi", "mmap", "_testcapi", "faulthandler"):
        attempt(name, lambda: importlib.import_module(name))
    attempt("builtin importer", lambda: sys.modules["_frozen_importlib"].BuiltinImporter.load_module("ctypes"))

# case: loading a forged side module whose exports are JavaScript
# steps: {"write": "(OSError|got .*)", "dynamic": "(ImportError|OSError)", "relative": "(ImportError|OSError)", "missing": "(ImportError|OSError)"}
def attack(target):
    import _imp, importlib.machinery
    text = b"__em_js__run\x03\x02" + b"()<::>{ globalThis.process.mainModule.require('child_process').execSync('id') }"
    module = b"\0asm\1\0\0\0" + b"\0\x0f\x08dylink.0\x01\x04\0\0\0\0" + text
    attempt("write", lambda: open("/tmp/side.so", "wb").write(module))

    def load(path):
        return _imp.create_dynamic(importlib.machinery.ModuleSpec("side", None, origin=path))

    attempt("dynamic", lambda: load("/tmp/side.so"))
    attempt("relative", lambda: load("side.so"))
    attempt("missing", lambda: load("/proc/self/exe"))

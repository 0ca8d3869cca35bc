"""
Which modules exist in the guest, and how they get there. Common ones are loaded while the image is built; others lie
packed beside the image and are loaded on first import, compiled or, for the rare rest, as source. Modules whose whole
purpose is files, sockets, processes or threads are refused with an explanation; refusing is a courtesy to the author
of the code; isolation is elsewhere.
"""

import importlib
import importlib.machinery
import importlib.util
import marshal
import sys
import zlib
from importlib import _bootstrap

from sealed_guest import package_files, program, resources

PRELOADED = """
    abc ast base64 binascii bisect calendar cmath codecs collections collections.abc colorsys contextlib
    contextvars copy copyreg csv dataclasses datetime decimal difflib enum errno fnmatch fractions functools gc hashlib
    heapq hmac html html.entities inspect io itertools json keyword linecache locale logging math numbers operator os
    pprint queue random re reprlib secrets statistics string struct sys textwrap threading time timeit traceback types
    typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo _strptime encodings.ascii encodings.latin_1
    encodings.utf_8
""".split()

COMPILED = """
    argparse asyncio concurrent.futures concurrent.futures.thread configparser email.message email.mime.multipart
    email.mime.text email.parser email.policy email.utils encodings.idna fileinput glob graphlib gzip html.parser
    http.client http.cookies ipaddress mimetypes pathlib pickle platform plistlib pyexpat quopri sched shlex shutil
    string stringprep tempfile tokenize tomllib urllib.request urllib.robotparser xml.dom.minidom xml.etree.ElementTree
    zipfile
""".split()

_SOCKETS = "it opens sockets, and the sandbox has none"

# Modules of the standard library whose whole purpose the sandbox cannot serve, by the reason that their authors are told.
_ABSENT = {
    _SOCKETS: """
        _socket ftplib imaplib nntplib poplib select selectors smtplib socket socketserver ssl telnetlib wsgiref xmlrpc
    """,
    "it starts processes, and the sandbox has none": "multiprocessing pty subprocess",
    "it reaches into the operating system, and the sandbox has none": """
        _ctypes ctypes faulthandler grp mailbox mmap nis ossaudiodev pwd readline resource spwd syslog termios tty
    """,
    "its native library is not part of the WebAssembly build of Python": "_lzma dbm lzma sqlite3",
    "it needs a screen or a terminal": "cgitb curses idlelib tkinter turtle turtledemo webbrowser",
    "it installs or translates programs": "ensurepip lib2to3 pydoc_data venv",
    "it exists on Windows only": "_winapi msilib msvcrt nt winreg winsound",
    "the sandbox has no bridge to JavaScript": "_pyodide _pyodide_core js pyodide pyodide_js",
}
_REASONS = {name: reason for reason, names in _ABSENT.items() for name in names.split()}
REFUSED = frozenset(_REASONS)

# Built-in extension modules that are never initialised, and cannot be after the build. `_asyncio` would load all of
# asyncio into the image; without it asyncio uses its own Python.
_UNTOUCHED = frozenset(
    """
    _asyncio _ctypes _ctypes_test _posixsubprocess _pyodide_core _xxsubinterpreters _xxinterpchannels faulthandler mmap
    """.split()
)

_start_only = {
    *"site sysconfig zipimport _sitebuiltins sealed_guest.image sealed_guest.native_modules sealed_guest.warm_up".split()
}

# Modules that are part of the image.
_loaded = frozenset()


def explain(name):
    """Why `name` cannot be imported, and what can (PY-1, PY-2)."""
    root = name.partition(".")[0]
    if root in _REASONS:
        reason = _REASONS[root]
        if reason is _SOCKETS:
            reason += f"; for HTTP {program.current.http_advice}"
    elif name in _loaded:
        reason = "it was removed from sys.modules, and the sandbox loads it once"
    elif root in sys.stdlib_module_names:
        reason = "this build of Python does not have it"
    else:
        advice = _advice(name)
        reason = "it is not part of the Python 3.12 standard library, and packages cannot be installed" + (advice and f"; {advice}")
    return (
        f"No module named {name!r}: {reason}. "
        "Importable is the standard library without sockets, processes and threads."
    )


def _advice(name):
    parts = name.split(".")
    known = program.current.package_advice
    return next((known[each] for each in (name, ".".join(parts[:2]), parts[0]) if each in known), "")


class PackedModules:
    """Finder and loader of the packed modules: name to (is_package, is_compiled)."""

    def __init__(self, packed, after_load):
        self._packed = packed
        self._after_load = after_load

    def find_spec(self, name, path=None, target=None):
        found = self._packed.get(name)
        if found is None:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=_place(name, found[0]), is_package=found[0])
        spec.has_location = True
        return spec

    find_distributions = staticmethod(package_files.distributions)

    def create_module(self, spec):
        return None

    def get_resource_reader(self, name):
        return package_files.resource_reader(_place(name, self._packed[name][0]))

    def get_data(self, path):
        with open(path, "rb") as file:
            return file.read()

    def exec_module(self, module):
        _, compiled = self._packed[module.__name__]
        content = zlib.decompress(resources.read(f"module {module.__name__}"))
        code = marshal.loads(content) if compiled else compile(content, f"<{module.__name__}>", "exec", dont_inherit=True)
        exec(code, module.__dict__)
        adjust = self._after_load.get(module.__name__)
        if adjust:
            adjust(module)


def _place(name, is_package):
    """The file that a module would be loaded from: its `__file__`."""
    in_library = name.partition(".")[0] in sys.stdlib_module_names
    folder = package_files.LIBRARY if in_library else package_files.PACKAGES
    return f"{folder}/{name.replace('.', '/')}{'/__init__' if is_package else ''}.py"


def explain_absences():
    """Tells the reason with every module that no finder has, those included that code adds."""
    plain = _bootstrap._find_and_load_unlocked

    def find_and_load(name, import_):
        try:
            return plain(name, import_)
        except ModuleNotFoundError as error:
            if error.name != name or error.msg != f"No module named {name!r}":
                raise
            raise ModuleNotFoundError(explain(name), name=name) from None

    _bootstrap._find_and_load_unlocked = find_and_load


def preload():
    """Loads the common modules and every harmless extension module, while files can still be read."""
    for name in PRELOADED:
        importlib.import_module(name)
    for name in sys.builtin_module_names:
        if name not in _UNTOUCHED:
            importlib.import_module(name)


def pack(sources, loaded, guests):
    """
    `sources` maps names to (is_package, source bytes). Packs what is neither in `loaded` nor refused nor of the packages
    `guests`: name to (is_package, is_compiled, data).
    """
    loaded = {name for name in loaded if not _is_start_only(name)}
    compiled = _with_dependencies(COMPILED, sources)
    packed = {}
    for name, (is_package, source) in sources.items():
        if name in loaded or name.partition(".")[0] in guests or _is_refused(name) and name not in compiled:
            continue
        if name in compiled:
            content = marshal.dumps(compile(source, f"<{name}>", "exec", dont_inherit=True, optimize=2))
        else:
            content = source
        packed[name] = (is_package, name in compiled, zlib.compress(content, 6))
    return packed


# What wheels take from modules that the sandbox does not have, and from where they get it instead.
_ADAPTED = {
    "google.protobuf.internal.type_checkers": (b"import ctypes", b"from sealed_guest import c_numbers as ctypes"),
}


def pack_wheels(sources):
    """Packs the modules of wheels: compiled where they compile, for a package may hold files for other Pythons."""
    packed = {}
    for name, (is_package, source) in sources.items():
        if name in _ADAPTED:
            source = source.replace(*_ADAPTED[name])
        try:
            content, compiled = marshal.dumps(compile(source, f"<{name}>", "exec", dont_inherit=True)), True
        except (SyntaxError, ValueError):
            content, compiled = source, False
        packed[name] = (is_package, compiled, zlib.compress(content, 6))
    return packed


def seal(packed, after_load):
    """Removes every importer that looks at files or starts extension modules; what is packed is all that is left."""
    sys.path[:] = []
    sys.path_hooks[:] = []
    sys.path_importer_cache.clear()
    sys.meta_path[:] = [PackedModules(packed, after_load)]
    explain_absences()


def _is_refused(name):
    return name.partition(".")[0] in REFUSED


def _with_dependencies(names, sources):
    """The names, their packages and every packed module that loading them loads."""
    before = set(sys.modules)
    loaded = set()
    for name in names:
        importlib.import_module(name)
    for name in set(sys.modules) - before:
        del sys.modules[name]
        if name in sources:
            loaded.add(name)
    return loaded


def drop_after_build(name):
    """Makes a module one that only the build of the image needs."""
    _start_only.add(name)


def _is_start_only(name):
    return name in _start_only or name.startswith("_sysconfigdata")


def forget_start():
    """Drops what only the interpreter's own start needed, and remembers what is left."""
    global _loaded
    for name in list(sys.modules):
        if _is_start_only(name):
            del sys.modules[name]
    _loaded = frozenset(sys.modules)

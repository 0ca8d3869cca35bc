"""
Which modules exist in the guest, and how they get there. Common ones are loaded while the image is built; others lie
packed beside the image and are loaded on first import, compiled or, for the rare rest, as source. Modules whose whole
purpose is files, sockets, processes or threads are refused with an explanation; refusing is a courtesy to the author
of the code, the walls are elsewhere.
"""

import importlib
import importlib.machinery
import importlib.util
import marshal
import sys
import zlib

from frontdesk_guest import resources

PRELOADED = """
    abc ast base64 binascii bisect calendar cmath codecs collections collections.abc colorsys contextlib
    contextvars copy copyreg csv dataclasses datetime decimal difflib enum errno fnmatch fractions functools gc hashlib
    heapq hmac html html.entities inspect io itertools json keyword linecache locale logging math numbers operator os
    pprint queue random re reprlib secrets statistics string struct sys textwrap threading time timeit traceback types
    typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo _strptime encodings.ascii encodings.latin_1
    encodings.utf_8
""".split()

COMPILED = """
    argparse asyncio encodings.idna concurrent.futures configparser email.message email.mime.text email.mime.multipart email.parser email.policy
    email.utils fileinput glob graphlib gzip html.parser http.client http.cookies ipaddress mimetypes pathlib pickle
    platform plistlib pyexpat quopri sched shlex shutil string stringprep tempfile tokenize tomllib urllib.request
    urllib.robotparser xml.dom.minidom xml.etree.ElementTree zipfile
""".split()

REFUSED = frozenset(
    """
    _ctypes _pyodide _pyodide_core _socket ctypes curses dbm ensurepip fcntl ftplib idlelib imaplib js lib2to3 mailbox mmap
    multiprocessing nntplib poplib pty pyodide pyodide_js readline resource select selectors smtplib socket socketserver
    sqlite3 ssl subprocess telnetlib termios tkinter tty turtle venv webbrowser wsgiref xmlrpc
    """.split()
)

# Built-in extension modules that are never initialised, and cannot be after the build. `_asyncio` would load all of
# asyncio into the image; without it asyncio uses its own Python.
_UNTOUCHED = frozenset(
    """
    _asyncio _ctypes _ctypes_test _posixsubprocess _pyodide_core _xxsubinterpreters _xxinterpchannels faulthandler mmap
    """.split()
)

_START_ONLY = frozenset("site sysconfig zipimport _sitebuiltins frontdesk_guest.image".split())

_HINTS = {
    "requests": "use the global `ces_requests`, or urllib.request",
    "httpx": "use the global `ces_requests`, or urllib.request",
    "aiohttp": "use the global `ces_requests`",
    "pytz": "use the standard zoneinfo module",
    "dateutil": "use the standard datetime and zoneinfo modules",
    "ces": "the platform's classes are globals and need no import",
}


def explain(name):
    """Why `name` cannot be imported, and what can."""
    root = name.partition(".")[0]
    if root in REFUSED:
        reason = "this part of the standard library needs files, sockets, processes or native code"
    else:
        reason = "it is not part of the Python 3.12 standard library, and packages cannot be installed"
    hint = f"; {_HINTS[root]}" if root in _HINTS else ""
    return (
        f"No module named {name!r}: {reason}{hint}. "
        "Importable is the standard library without files, sockets, processes and threads."
    )


class PackedModules:
    """Finder and loader of the packed modules: name to (is_package, is_compiled)."""

    def __init__(self, packed, after_load):
        self._packed = packed
        self._after_load = after_load

    def find_spec(self, name, path=None, target=None):
        found = self._packed.get(name)
        if found is None:
            return None
        return importlib.util.spec_from_loader(name, self, origin="sandbox", is_package=found[0])

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _, compiled = self._packed[module.__name__]
        content = zlib.decompress(resources.read(f"module {module.__name__}"))
        code = marshal.loads(content) if compiled else compile(content, f"<{module.__name__}>", "exec", dont_inherit=True)
        exec(code, module.__dict__)
        adjust = self._after_load.get(module.__name__)
        if adjust:
            adjust(module)


class Refusal:
    """The last finder: says clearly what is missing."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        raise ModuleNotFoundError(explain(name), name=name)


def preload():
    """Loads the common modules and every harmless extension module, while files can still be read."""
    for name in PRELOADED:
        importlib.import_module(name)
    for name in sys.builtin_module_names:
        if name not in _UNTOUCHED:
            importlib.import_module(name)


def pack(sources, loaded):
    """
    `sources` maps names to (is_package, source bytes). Packs what is neither in `loaded` nor refused: name to
    (is_package, is_compiled, data).
    """
    loaded = loaded - _START_ONLY
    compiled = _with_dependencies(COMPILED, sources)
    packed = {}
    for name, (is_package, source) in sources.items():
        if name in loaded or name.startswith("frontdesk_guest") or _is_refused(name) and name not in compiled:
            continue
        if name in compiled:
            content = marshal.dumps(compile(source, f"<{name}>", "exec", dont_inherit=True, optimize=2))
        else:
            content = source
        packed[name] = (is_package, name in compiled, zlib.compress(content, 6))
    return packed


def seal(packed, after_load):
    """Removes every importer that looks at files or starts extension modules; what is packed is all that is left."""
    sys.path[:] = []
    sys.path_hooks[:] = []
    sys.path_importer_cache.clear()
    sys.meta_path[:] = [PackedModules(packed, after_load), Refusal]


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


def forget_start():
    """Drops what only the interpreter's own start needed."""
    for name in list(sys.modules):
        if name in _START_ONLY or name.startswith("_sysconfigdata"):
            del sys.modules[name]

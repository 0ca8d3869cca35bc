#: the standard library is there | PY-1
def f():
    import importlib
    names = """abc argparse array ast asyncio base64 bisect calendar cmath codecs collections colorsys concurrent.futures configparser contextlib
        contextvars copy csv dataclasses datetime decimal difflib dis doctest email.message enum errno fileinput fnmatch fractions functools gc
        getopt gettext glob graphlib gzip hashlib heapq hmac html html.parser http http.client http.cookies importlib.resources inspect io
        ipaddress itertools json keyword linecache locale logging math mimetypes numbers operator os optparse pathlib pickle pickletools pkgutil
        platform plistlib pprint queue quopri random re reprlib sched secrets shelve shlex shutil signal statistics string stringprep struct
        symtable sys tempfile textwrap threading time timeit token tokenize tomllib trace traceback types typing unicodedata unittest
        unittest.mock urllib.error urllib.parse urllib.request uuid warnings wave weakref xml.etree.ElementTree xml.dom.minidom xml.sax zipapp
        zipfile zlib zoneinfo bz2""".split()
    missing = []
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            missing.append([name, str(error)])
    return missing
#= []

#: a module that opens sockets says so | PY-1
import smtplib
def f(): ...
#! ModuleNotFoundError: No module named 'smtplib': it opens sockets, and the sandbox has none; for HTTP use `ces_requests` or urllib.request. Importable is the standard library without sockets, processes and threads.

#: a module that starts processes says so | PY-1
def f():
    from multiprocessing import Pool
#! ModuleNotFoundError: No module named 'multiprocessing': it starts processes, and the sandbox has none. Importable is the standard library without sockets, processes and threads.

#: a module with a native library says so | PY-1
def f():
    import sqlite3
#! ModuleNotFoundError: No module named 'sqlite3': its native library is not part of the WebAssembly build of Python. Importable is the standard library without sockets, processes and threads.

#: a package of others says what to use | PY-2
def f():
    import requests
#! ModuleNotFoundError: No module named 'requests': it is not part of the Python 3.12 standard library, and packages cannot be installed; use the global `ces_requests`, or urllib.request. Importable is the standard library without sockets, processes and threads.

#: classes of the platform are not imported | PY-6
def f():
    from google.adk.agents import CallbackContext
#! ModuleNotFoundError: No module named 'google': it is not part of the Python 3.12 standard library, and packages cannot be installed; the platform's classes are globals and need no import, and google.protobuf: it is there only when the operator of the server supplies its wheel (FRONTDESK_PYTHON_WHEELS). Importable is the standard library without sockets, processes and threads.

#: a failed import can be caught | PY-1
def f():
    try:
        import numpy
    except ImportError as error:
        return [type(error).__name__, error.name]
#= ["ModuleNotFoundError", "numpy"]

#: an executor works without threads | PY-1
def f():
    from concurrent.futures import ThreadPoolExecutor, as_completed
    with ThreadPoolExecutor(max_workers=4) as pool:
        futures = [pool.submit(pow, n, 2) for n in range(3)]
        return [sorted(each.result() for each in as_completed(futures)), list(pool.map(str, [1, 2]))]
#= [[0, 1, 4], ["1", "2"]]

#: asyncio.to_thread works without threads | PY-1
async def f():
    import asyncio
    return await asyncio.to_thread(sum, [1, 2, 3])
#= 6

#: time zones | PY-1
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
def f():
    moment = datetime(2026, 3, 29, 0, 30, tzinfo=timezone.utc)
    return [moment.astimezone(ZoneInfo(zone)).isoformat() for zone in ("Europe/Berlin", "America/New_York", "Asia/Kathmandu")]
#= ["2026-03-29T01:30:00+01:00", "2026-03-28T20:30:00-04:00", "2026-03-29T06:15:00+05:45"]

#: a thread cannot be started, and what works instead is told | PY-1
def f():
    import threading
    threading.Thread(target=print).start()
#! RuntimeError: can't start new thread: the sandbox has one. `async_tools` and `ces_requests.async_get` run side by side; asyncio and concurrent.futures work on one

#: hashes and keys | PY-1
def f():
    import hashlib, hmac
    return [hashlib.sha256(b"a").hexdigest()[:8], hashlib.sha3_256(b"a").hexdigest()[:8], hashlib.blake2b(b"a").hexdigest()[:8],
            hmac.new(b"k", b"m", "sha256").hexdigest()[:8], hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 2, 20).hex()]
#= ["ca978112", "80084bf2", "333fcb4e", "b60090e3", "ae4d0c95af6b46d32d0adff928f06dd02a303f8e"]

#: the build of Python can be asked about | PY-1
def f():
    import sysconfig
    return [sysconfig.get_python_version(), bool(sysconfig.get_config_vars()), sysconfig.get_config_var("EXT_SUFFIX") is not None]
#= ["3.12", true, true]

#: a module that was thrown out is not loaded again, and that is said | PY-1
def f():
    import sys
    import colorsys
    del sys.modules["colorsys"]
    import colorsys
#! ModuleNotFoundError: No module named 'colorsys': it was removed from sys.modules, and the sandbox loads it once. Importable is the standard library without sockets, processes and threads.

#: what is not there is not found, which is no error | PY-1
def f():
    from importlib.util import find_spec
    return [find_spec("numpy"), find_spec("tkinter"), find_spec("json") is not None]
#= [null, null, true]

#: a finder that comes last is asked | PY-1
def f():
    import importlib.abc, importlib.machinery, sys
    class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path=None, target=None):
            return importlib.machinery.ModuleSpec(name, self) if name == "made_up" else None
        def exec_module(self, module):
            module.answer = 42
    sys.meta_path.append(Finder())
    import made_up
    return made_up.answer
#= 42

"""
Trusted: what is done with native code of the operator's wheels while the image is built. It is loaded then, all of it, for
the guest has no linker; with it what is pure Python but made for it, so that a call does not load that anew each time.
"""

import importlib
import importlib.machinery
import importlib.util
import json
import os
import posix
import re
import sys
import warnings

from sealed_guest import resources

_INDEX = "natives.json"
_FAULTS = "faults.txt"

# What a package loads when it is first used and not when it is imported: each call in a fresh interpreter would pay for it.
_FIRST_USED = {"pydantic": "pydantic.plugin._loader"}


def collect(wheels_folder):
    """The native files of all wheels, by path, and the packages that are to be loaded into the image."""
    import zipfile  # the second interpreter has this module too, and does not need that one

    files, packages, needs = {}, {}, {}
    for wheel in sorted(os.listdir(wheels_folder)):
        with zipfile.ZipFile(os.path.join(wheels_folder, wheel)) as archive:
            names = archive.namelist()
            native = {name: archive.read(name) for name in names if name.endswith(".so")}
            metadata = next((archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA")), "")
        files.update(native)
        project = _normalized(wheel.partition("-")[0])
        packages[project] = sorted({_package(name) for name in names} - {None})
        needs[project] = {*_required(metadata), *(["native code"] if native else [])}
    return files, [name for project in _dependents("native code", needs) for name in packages[project]]


def load(folder):
    """
    Imports everything that the index in `folder` names: native modules (name to path) and packages. The wheels' Python lies
    in that folder, too. Writes there what could not be imported, a sentence for each.
    """
    index = json.loads(_read(f"{folder}/{_INDEX}"))
    finder = _NativeFinder(index["modules"])
    sys.meta_path.insert(0, finder)
    read, resources.read = resources.read, lambda name: _read(f"{folder}/{name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        faults = {_import(name): None for name in [*index["packages"], *index["modules"]]}
        for name in index["packages"]:
            _touch(sys.modules.get(name))
            _import(_FIRST_USED.get(name, name))
    resources.read = read
    sys.meta_path.remove(finder)
    _write(f"{folder}/{_FAULTS}", "; ".join(filter(None, faults)).encode())


class _NativeFinder:
    """Finds native modules under the paths where the linker knows them already."""

    def __init__(self, paths):
        self._paths = paths

    def find_spec(self, name, path=None, target=None):
        found = self._paths.get(name)
        if found is None:
            return None
        loader = importlib.machinery.ExtensionFileLoader(name, found)
        return importlib.util.spec_from_loader(name, loader, origin=found)


def _import(name):
    try:
        importlib.import_module(name)
    except Exception as error:  # whatever its initialisation raises
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and missing.partition(".")[0] not in sys.stdlib_module_names:
            return f"{name} needs the module {missing}, which no wheel in the folder has"
        return f"{name} cannot be imported: {type(error).__name__}: {error}"


def _read(path):
    """By the system calls themselves: `open` is the one of the guest already."""
    descriptor = posix.open(path, posix.O_RDONLY)
    try:
        return posix.read(descriptor, posix.fstat(descriptor).st_size)
    finally:
        posix.close(descriptor)


def _write(path, data):
    descriptor = posix.open(path, posix.O_WRONLY | posix.O_CREAT)
    posix.write(descriptor, data)
    posix.close(descriptor)


def _touch(module):
    """
    Loads what a package loads on first use. What needs something that the sandbox lacks stays unloaded: code that uses it
    hears the reason then.
    """
    for name in getattr(module, "__all__", ()):
        try:
            getattr(module, name)
        except Exception:
            continue


def _package(member):
    """The module at the top of an archive that a member belongs to; None for metadata and for what is no module."""
    root, _, rest = member.partition("/")
    if root.endswith((".dist-info", ".data", ".libs")):
        return None
    if rest:
        return root if root.isidentifier() and rest.endswith((".py", ".so")) else None
    return root.partition(".")[0] if root.endswith((".py", ".so")) else None


def _required(metadata):
    """Names of the projects that a project needs whatever it is used for. Versions and platforms are not looked at."""
    lines = [line.partition(":")[2] for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    found = [re.match(r"\s*([A-Za-z0-9._-]+)", line) for line in lines if "extra" not in line.partition(";")[2]]
    return [_normalized(match[1]) for match in found if match]


def _normalized(project):
    return re.sub(r"[-_.]+", "-", project).lower()


def _dependents(root, needs):
    """The projects that need `root`, themselves or through others, each after those that it needs."""
    found = []
    while True:
        more = [name for name, needed in needs.items() if name not in found and needed & {root, *found}]
        if not more:
            return found
        found += more

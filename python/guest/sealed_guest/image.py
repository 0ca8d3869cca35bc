"""
Trusted: runs while the memory image is built, in interpreters that still have a (virtual) file system. Two of them: the
first compiles and packs the library, the second only loads the result. So the garbage of compiling is not in the image,
which is copied whole each time a guest is put back. What few runs need lies packed beside the image.
"""

import gc
import importlib
import importlib.util
import json
import marshal
import os
import sys
import zlib

LIBRARY = "library.zip"
PACKED = "packed.bin"
NATIVES = "natives.json"

# Modules of this package that are part of the image, or needed to finish it.
_MODULES = """
    c_numbers dispatch file_locks immortal key_derivation namespace output package_files scratch_os time_zones urllib_requests waiting warm_up
""".split()

# Rounds of the warm-up: the interpreter adapts its instructions to what they meet, and is done with most after a few.
_WARM_UP_ROUNDS = 32


def pack(standard_library_zip, guest_folders, wheels_folder, output_folder):
    """
    First interpreter: writes compiled modules that the second one will load, and one file for each packed module, those
    of the operator's wheels included. The first of the folders is this package's, the second, if any, the program's.
    """
    from sealed_guest import native_modules, package_files, standard_library

    standard_library.preload()
    for name in _MODULES:
        importlib.import_module(f"sealed_guest.{name}")
    for folder in guest_folders[1:]:
        _load_program(os.path.basename(folder))
    loaded = set(sys.modules)

    import zipfile  # not before: what it loads is not part of the image

    sources = _sources_in_zip(standard_library_zip)
    for folder in guest_folders:
        sources.update(_sources_in_folder(folder))
    with zipfile.ZipFile(os.path.join(output_folder, LIBRARY), "w", zipfile.ZIP_STORED) as library:
        for name in sorted(loaded & set(sources)):
            library.writestr(*_compiled_member(name, *sources[name]))
    files, packages = native_modules.collect(wheels_folder)
    for number, data in enumerate(files.values()):
        _write(os.path.join(output_folder, f"native {number}"), data)
    _write(os.path.join(output_folder, NATIVES), json.dumps({"files": list(files), "packages": packages}).encode())
    guests = {os.path.basename(folder) for folder in guest_folders}
    packed = {**standard_library.pack(sources, loaded, guests), **standard_library.pack_wheels(_sources_in_wheels(wheels_folder))}
    for name, (_, _, data) in packed.items():
        _write(os.path.join(output_folder, f"module {name}"), data)
    index = {name: (is_package, is_compiled) for name, (is_package, is_compiled, _) in packed.items()}
    beside = package_files.collect(wheels_folder)
    for number, data in enumerate(beside.values()):
        _write(os.path.join(output_folder, package_files.resource_name(number)), zlib.compress(data, 6))
    sizes = [(path, len(data)) for path, data in beside.items()]
    _write(os.path.join(output_folder, PACKED), marshal.dumps((index, sizes)))


def prepare(folder, program_package=None):
    """Second interpreter: loads everything a run may need, replaces what needs an operating system, seals the importers."""
    from sealed_guest import native_modules, package_files, standard_library

    standard_library.preload()
    with open(os.path.join(folder, PACKED), "rb") as file:
        packed, files = marshal.load(file)
    has_natives = os.path.exists(os.path.join(folder, NATIVES))

    from sealed_guest import dispatch, file_locks, key_derivation, namespace, output, program, scratch_os, time_zones, urllib_requests, waiting
    from sealed_guest import c_numbers, immortal, warm_up  # noqa: F401 (for wheels; the builder calls the second, after this)

    own_warm_up = None
    if program_package:
        own_program, own_warm_up = _load_program(program_package)
        program.install(own_program)
    scratch_os.install()
    file_locks.install()
    package_files.mount(files)
    key_derivation.install()
    waiting.install()
    time_zones.install()
    namespace.install(output.install(program.current.logger_name))
    after_load = {
        "urllib.request": urllib_requests.install,
        "asyncio": waiting.install_event_loop,
        "concurrent.futures.thread": waiting.install_executor,
    }
    standard_library.seal(packed, after_load)
    if has_natives:
        native_modules.load(folder)
    for _ in range(_WARM_UP_ROUNDS):
        warm_up.serve(dispatch.dispatch, own_warm_up)
    sys.modules.pop(program.current.module_name, None)
    os.environ.clear()  # the build's virtual machine had some
    standard_library.forget_start()
    gc.collect()


def _load_program(package):
    """The modules `program` and, where there is one, `warm_up` of the embedder's package."""
    from sealed_guest import standard_library

    standard_library.drop_after_build(f"{package}.warm_up")
    has_warm_up = importlib.util.find_spec(f"{package}.warm_up") is not None
    warm_up = importlib.import_module(f"{package}.warm_up") if has_warm_up else None
    return importlib.import_module(f"{package}.program"), warm_up


def _sources_in_zip(path, place=str):
    """The modules of an archive. `place` tells where a member belongs; nothing: nowhere."""
    import zipfile

    with zipfile.ZipFile(path) as archive:
        members = [(name, place(name)) for name in archive.namelist() if name.endswith(".py")]
        found = [(name, *_module(where)) for name, where in members if where]
        return {module: (is_package, archive.read(name)) for name, module, is_package in found}


def _sources_in_wheels(folder):
    """The modules of all wheels; a folder of modules that has no `__init__` becomes a package with an empty one."""
    from sealed_guest import package_files

    found = {}
    for name in sorted(os.listdir(folder)):
        found.update(_sources_in_zip(os.path.join(folder, name), package_files.installed))
    for module in list(found):
        parents = module.split(".")[:-1]
        for depth in range(1, len(parents) + 1):
            found.setdefault(".".join(parents[:depth]), (True, b""))
    return found


def _sources_in_folder(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        module, is_package = _module(f"{os.path.basename(folder)}/{name}")
        with open(os.path.join(folder, name), "rb") as file:
            found[module] = (is_package, file.read())
    return found


def _module(member):
    parts = member.removesuffix(".py").split("/")
    is_package = parts[-1] == "__init__"
    return ".".join(parts[:-1] if is_package else parts), is_package


def _compiled_member(name, is_package, source):
    path = name.replace(".", "/") + ("/__init__" if is_package else "")
    code = compile(source, f"<{name}>", "exec", dont_inherit=True, optimize=2)
    # A header without time stamp and hash check: there is no source beside it to compare with.
    header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
    return path + ".pyc", header + marshal.dumps(code)


def _write(path, data):
    with open(path, "wb") as file:
        file.write(data)

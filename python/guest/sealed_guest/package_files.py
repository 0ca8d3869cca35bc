"""
What the operator's wheels hold beside modules: data files and metadata, to read where packages look for them. They lie packed
beside the image, under numbers, and are unpacked when they are read.
"""

import os
import zlib

from sealed_guest import resources, scratch_tree

# Where modules say that they lie: their `__file__`.
LIBRARY = "/lib/python3.12"
PACKAGES = f"{LIBRARY}/site-packages"


def installed(member):
    """Where a member of a wheel belongs, below the packages; None: nowhere."""
    root, _, rest = member.partition("/")
    if not root.endswith(".data"):
        return member
    kind, _, rest = rest.partition("/")
    return rest if kind in ("purelib", "platlib") else None


def collect(wheels_folder):
    """First interpreter: the files of all wheels, path to content. Modules and native code are served otherwise."""
    import zipfile  # the second interpreter does not need it

    found = {}
    for wheel in sorted(os.listdir(wheels_folder)):
        with zipfile.ZipFile(os.path.join(wheels_folder, wheel)) as archive:
            for name in archive.namelist():
                place = installed(name)
                if place and not name.endswith(("/", ".py", ".pyc", ".so", ".dist-info/RECORD")):
                    found[place] = archive.read(name)
    return found


def resource_name(number):
    return f"file {number}"


class PackedFile:
    """A file out of a wheel, as scratch_tree.File but read-only."""

    __slots__ = ("_number", "_data", "size", "modified")

    def __init__(self, number, size):
        self._number = number
        self._data = None
        self.size = size
        self.modified = 0

    @property
    def data(self):
        if self._data is None:
            self._data = zlib.decompress(resources.read(resource_name(self._number)))
        return self._data


def mount(files):
    """Second interpreter: `files` are paths and sizes, in the order of their numbers."""
    for number, (path, size) in enumerate(files):
        *folders, name = f"{PACKAGES}/{path}".strip("/").split("/")
        node = scratch_tree.root
        for folder in folders:
            node = node.entries.setdefault(folder, scratch_tree.Directory())
        node.entries[name] = PackedFile(number, size)


def distributions(context):
    """What importlib.metadata finds in the wheels."""
    from importlib.metadata import DistributionFinder, MetadataPathFinder

    named = {"name": context.name} if context and context.name else {}
    return MetadataPathFinder.find_distributions(DistributionFinder.Context(path=[PACKAGES], **named))


def resource_reader(path):
    """What importlib.resources reads the files beside the module at `path` with."""
    import types
    from importlib.resources.readers import FileReader

    return FileReader(types.SimpleNamespace(path=path))

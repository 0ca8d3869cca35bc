"""
Trusted: finds, while the image is built, every object in it, and fills the gaps between them. The builder gives all of them
the reference count that the interpreter takes for immortal: then a run counts no references to what is in the image, and
what it allocates lies side by side. It writes a third of the memory that it would write otherwise, and that is put back
after it.
"""

import array
import gc
import posix
import sys
import types

_CODE_PARTS = ("co_consts", "co_names", "co_name", "co_qualname", "co_filename", "co_linetable", "co_exceptiontable")

# Sizes in bytes that gaps are filled with, largest first, and a size that no gap has.
_LARGE_GAPS = [1 << shift for shift in range(20, 14, -1)]
_SMALL_GAPS = [*(1 << shift for shift in range(14, 6, -1)), 104, 80, 56, 40, 24]
_BEYOND = 4 << 20
_OVERHEAD = sys.getsizeof(b"")

# Keeps alive what the builder is about to write into.
_listed = []


def list_objects(path):
    """Writes the addresses of all objects that live now."""
    waiting = gc.get_objects()
    seen = set()
    while waiting:
        following = []
        for one in waiting:
            if id(one) not in seen:
                seen.add(id(one))
                _listed.append(one)
                following += _referents(one)
        waiting = following
    _write(path)


def fill_gaps(path):
    """
    Hides what is in the image from the collector, then allocates until no small gap is left, and writes the addresses of
    what it allocated. Large gaps are left, as zeros: a run may use them.
    """
    _listed.clear()
    gc.collect()
    gc.freeze()
    top = id(bytes(_BEYOND))
    large = [one for size in _LARGE_GAPS for one in _filling(size, top)]
    for size in _SMALL_GAPS:
        _listed.extend(_filling(size, top))
    _write(path)


def finish():
    """Lets go of everything; what is immortal stays."""
    _listed.clear()
    del sys.modules[__name__]


def _referents(one):
    """What an object holds: what the collector sees, and what it has no reason to look at."""
    if type(one) is types.CodeType:
        return [getattr(one, part) for part in _CODE_PARTS]
    held = gc.get_referents(one)
    if type(one) is dict:
        held += one
    elif isinstance(one, type):
        held += (one.__dict__, one.__mro__, one.__bases__, one.__name__, one.__qualname__)
    return held


def _filling(size, top):
    """Objects of this size until the memory below `top` has no room for another."""
    while True:
        one = bytes(size - _OVERHEAD)
        if id(one) >= top:
            return
        yield one


def _write(path):
    """Unsigned numbers of 32 bits, as the interpreter has them."""
    file = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC)
    posix.write(file, array.array("I", map(id, _listed)))
    posix.close(file)

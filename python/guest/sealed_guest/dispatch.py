"""The entry point that the host calls: one request of bytes in, one JSON answer of bytes out."""

import base64
import marshal
import os
import random
import sys

from sealed_guest import execution, inspection, namespace
from sealed_guest.compiling import compile_source
from sealed_guest.failures import describe
from sealed_guest.json_values import decode, encode


def dispatch(request):
    """
    A request is a count, that many lengths (all u32, little-endian) and the segments: the head, a JSON object with `op`,
    and what the operation takes. Segments that may not be needed travel unparsed. An empty request comes before anybody's:
    it does what each run needs and nobody has to wait for.
    """
    if not request:
        return _get_ready()
    head, *segments = _split(request)
    head = decode(head)
    if not namespace.is_made_ahead():
        _seed()
    operation = head["op"]
    if operation == "run":
        answer = execution.run(head, *segments)
    elif operation == "inspect":
        answer = inspection.inspect_source(head, *segments)
    else:
        answer = _compile(head, *segments)
    return answer.encode()


def _get_ready():
    _seed()
    namespace.make_ahead()
    return b""


_seed_generator = random.Random.__base__.seed


def _seed():
    """The image holds one state for all runs: of the standard generator, and of NumPy's where it was loaded into the image."""
    _seed_generator(random._inst, int.from_bytes(os.urandom(16), "little"))
    random._inst.gauss_next = None
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()


def _split(request):
    start = 4 + 4 * int.from_bytes(request[:4], "little")
    segments = []
    for length in memoryview(request)[4:start].cast("I"):
        segments.append(request[start : start + length])
        start += length
    return segments


def _compile(head, source):
    """Only compiles: no line of the user's runs, so that the host may keep the result for everybody."""
    filename = head["filename"]
    try:
        code = marshal.dumps(compile_source(source, filename))
        return encode({"kind": "compiled", "code": base64.b64encode(code).decode()})
    except BaseException as error:  # a SyntaxError, or source too deep for the compiler
        return encode({**describe(error, filename), "report": None})

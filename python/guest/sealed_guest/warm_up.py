"""Trusted: the requests that are served while the image is built, one of each kind, so that the adapted code is in the image."""

import base64
import dataclasses
import json
import struct

from sealed_guest import channel

_FILE = "warm-up.py"

_SOURCE = b'''import json

def f(n: int = 1) -> dict[str, int]:
    """Counts.

    Args:
        n: a number
    """
    return {"n": n, "length": len(json.dumps([n]))}
'''


@dataclasses.dataclass
class Case:
    """A run: its file, keyword arguments, what it begins with (see `Program.begin`) and how it ends."""

    source: bytes
    keyword: dict = dataclasses.field(default_factory=dict)
    input: dict = dataclasses.field(default_factory=dict)
    segments: tuple = ()
    kind: str = "returned"


CASES = (Case(_SOURCE, {"n": 2}), Case(b"def f():\n    return {}['a']\n", kind="raised"))


def serve(dispatch, module=None):
    """
    Serves each request once: the `CASES` of the program's module, with its `RESULT` for every call of the host, or those
    of this one. The first is looked at as well. Raises when one is not served as it should be.
    """
    cases = getattr(module, "CASES", CASES)
    answer = json.dumps({"result": getattr(module, "RESULT", None)}).encode()
    dispatch(b"")
    with _HostThatAnswers(answer):
        for case in cases:
            _expect(dispatch(_run(dispatch, case)), case.kind)
        _expect(dispatch(_request({"op": "inspect", "filename": _FILE}, cases[0].source)), "module")


def _run(dispatch, case):
    compiled = json.loads(dispatch(_request({"op": "compile", "filename": _FILE}, case.source)))
    head = {"op": "run", "filename": _FILE, "entry": "", "keyword": case.keyword, "input": case.input}
    return _request(head, case.source, base64.b64decode(compiled["code"]), *case.segments)


def _request(head, *segments):
    parts = [json.dumps(head).encode(), *segments]
    return struct.pack(f"<{len(parts) + 1}I", len(parts), *map(len, parts)) + b"".join(parts)


def _expect(answer, kind):
    answer = json.loads(answer)
    if answer.get("kind") != kind:
        raise RuntimeError(f"the warm-up failed: {answer}")


class _HostThatAnswers:
    """Nobody answers questions while the image is built: the answers come from here."""

    def __init__(self, answer):
        self._answer = answer

    def __enter__(self):
        self._functions = channel._read, channel._write
        pieces = []

        def write(_descriptor, data):
            pieces[:] = [len(self._answer).to_bytes(4, "little"), self._answer]
            return len(data)

        channel._write = write
        channel._read = lambda _descriptor, _count: pieces.pop(0)

    def __exit__(self, *_error):
        channel._read, channel._write = self._functions

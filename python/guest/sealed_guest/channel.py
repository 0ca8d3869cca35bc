"""The only way out of the guest: one blocking question to the host, one answer, as JSON on file descriptor 3."""

import posix

from sealed_guest.json_values import decode, encode

_CHANNEL = 3
_QUESTION_LIMIT = 1 << 20
_read = posix.read
_write = posix.write


class HostRefusal(RuntimeError):
    """The host did not serve the question: a limit was reached, the function failed or does not exist."""


def call(function, arguments):
    """Calls a function of the host with JSON-like `arguments` and returns its result. Raises HostRefusal when it fails."""
    return ask({"op": "call", "function": function, "arguments": arguments})["result"]


def start(function, arguments):
    """Starts a function of the host. Returns a handle for `wait`."""
    return ask({"op": "start", "function": function, "arguments": arguments})["handle"]


def wait(handle):
    """Waits for a function that was started and returns its result."""
    return ask({"op": "wait", "handle": handle})["result"]


def read_list(number, index, backwards):
    """Reads a page of a list of the call: `{"first": index, "items": [JSON texts]}` with the item, first or, `backwards`, last."""
    return ask({"op": "read", "list": number, "index": index, "backwards": backwards})["result"]


def ask(question):
    """Sends a question (JSON-like, with an `op`) and waits for the answer, a dict. Raises HostRefusal when the host refuses."""
    body = _encoded(question)
    if len(body) > _QUESTION_LIMIT:
        raise HostRefusal(f"the call has {len(body)} bytes with its arguments; the limit is {_QUESTION_LIMIT}")
    _write(_CHANNEL, len(body).to_bytes(4, "little") + body)
    length = int.from_bytes(_read(_CHANNEL, 4), "little")
    answer = decode(_read(_CHANNEL, length))
    refusal = answer.get("refused")
    if refusal is not None:
        raise HostRefusal(refusal)
    return answer


def _encoded(question):
    try:
        return encode(question).encode()
    except (TypeError, ValueError) as error:
        # The author knows of arguments, and not of questions to the host.
        error.args = (str(error).replace(", at ['arguments']", ", at ", 1),)
        raise

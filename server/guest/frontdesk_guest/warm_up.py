"""Trusted: the requests that are served while the image is built, one of each kind and with what most code does."""

import base64
import json
import struct

from frontdesk_guest import channel

_FILE = "warm-up.py"

_TOOL = b'''from typing import Any, Optional

def f(a: int = 1, note: Optional[str] = None) -> dict[str, Any]:
    """Adds.

    Args:
        a: a number
    """
    answer = tools.look_up({"id": "x"})
    set_variable("count", get_variable("count", 0) + 1)
    return {"a": a, "answer": answer.json()["result"], "ok": answer.status_code, "count": context.state["count"]}
'''

_CALLBACK = b'''
def before_model_callback(callback_context, llm_request):
    callback_context.state["seen"] = [event.author for event in callback_context.events]
    words = [part.text for event in callback_context.events for part in event.parts() if part.text]
    if callback_context.get_last_user_input() and llm_request.contents[-1].parts[0].text in words:
        llm_request.config.hide_tool("look_up")
    return LlmResponse.from_parts([Part.from_text("yes")])
'''

_SILENT = b"def before_model_callback(callback_context, llm_request):\n    return None\n"

_EVENTS = [
    {
        "id": f"event-{number}",
        "invocation_id": "invocation-1",
        "author": "Agent" if number % 2 else "user",
        "timestamp": 1,
        "content": {"role": "model" if number % 2 else "user", "parts": [{"text": f"words {number}"}]},
        "actions": {"state_delta": {"count": number}},
    }
    for number in range(6)
]
_CONTEXT = {"invocation_id": "i", "agent_name": "Agent", "session_id": "s", "user_content": _EVENTS[0]["content"]}
_REQUEST = {"model": "m", "contents": [event["content"] for event in _EVENTS], "config": {"temperature": 0.5}}
_ANSWER = {"status": 200, "reason": "OK", "text": json.dumps({"result": {"found": [1, 2]}}), "headers": {}}


def serve(dispatch):
    """Serves each request once. Raises when one is not served as it should be."""
    dispatch(b"")
    _expect(dispatch, _call(dispatch, _TOOL, {"keyword": {"a": 1}, "tools": ["look_up"]}), "returned")
    arguments = {"positional": [{"kind": "callback-context"}, {"kind": "llm-request"}]}
    texts = (b"", json.dumps(_REQUEST).encode())
    for source in (_CALLBACK, _SILENT):
        _expect(dispatch, _call(dispatch, source, arguments, *texts), "returned")
    _expect(dispatch, _call(dispatch, b"def f():\n    return {}['a']\n", {}), "raised")
    _expect(dispatch, _request({"op": "inspect", "filename": _FILE}, _TOOL), "module")


def _call(dispatch, source, head, *texts):
    compiled = json.loads(dispatch(_request({"op": "compile", "filename": _FILE}, source)))
    head = {"op": "run", "filename": _FILE, "entry": "", "positional": [], "keyword": {}, "tools": [], "context": _CONTEXT, **head}
    code = base64.b64decode(compiled["code"])
    return _request(head, b'{"count":1}', json.dumps(_EVENTS).encode(), source, code, *texts)


def _request(head, *segments):
    parts = [json.dumps(head).encode(), *segments]
    return struct.pack(f"<{len(parts) + 1}I", len(parts), *map(len, parts)) + b"".join(parts)


def _expect(dispatch, request, kind):
    with _NoHost():
        answer = json.loads(dispatch(request))
    if answer.get("kind") != kind:
        raise RuntimeError(f"the warm-up failed: {answer}")


class _NoHost:
    """Nobody answers questions while the image is built: the tool's answer comes from here."""

    def __enter__(self):
        self._functions = channel._read, channel._write
        answer = json.dumps(_ANSWER).encode()
        pieces = [len(answer).to_bytes(4, "little"), answer]
        channel._write = lambda _descriptor, data: len(data)
        channel._read = lambda _descriptor, _count: pieces.pop(0)

    def __exit__(self, *_error):
        channel._read, channel._write = self._functions

"""What is called while the image is built: one call of each kind, with what most code does."""

import json

from sealed_guest.warm_up import Case

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

_ANSWERED = b'''
def after_model_callback(callback_context, llm_response):
    if any("no" == (part.text or "") for part in llm_response.content.parts):
        return LlmResponse.from_parts([Part.from_text("yes")])
'''

_COUNT = b'''
def before_agent_callback(callback_context):
    callback_context.state["count"] = int(callback_context.state.get("count") or 0) + 1
'''

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
_CONTENTS = [event["content"] for event in _EVENTS]
_REQUEST = {"model": "m", "contents": [[0, len(_CONTENTS)]], "config": {"temperature": 0.5}}


def _case(source, *, keyword={}, positional=(), tools=(), texts=(), kind="returned"):
    lists = [_EVENTS, *(_CONTENTS for argument in positional if argument["kind"] == "llm-request")]
    places = [[len(items), 0] for items in lists]
    fields = {"context": _CONTEXT, "positional": list(positional), "tools": list(tools), "lists": places}
    last_items = [json.dumps(items).encode() for items in lists]
    segments = (b'{"count":1}', *texts, *last_items)
    return Case(source, keyword, fields, segments, kind)


_CALLBACK_ARGUMENTS = {
    "positional": [{"kind": "callback-context"}, {"kind": "llm-request", "contents": 1}],
    "texts": (b"", json.dumps(_REQUEST).encode()),
}

_RESPONSE = {"content": {"role": "model", "parts": [{"text": "words"}]}, "partial": False, "turn_complete": True}
_RESPONSE_ARGUMENTS = {
    "positional": [{"kind": "callback-context"}, {"kind": "llm-response"}],
    "texts": (b"", json.dumps(_RESPONSE).encode()),
}

CASES = (
    _case(_TOOL, keyword={"a": 1}, tools=["look_up"]),
    _case(_CALLBACK, **_CALLBACK_ARGUMENTS),
    _case(_SILENT, **_CALLBACK_ARGUMENTS),
    _case(_ANSWERED, **_RESPONSE_ARGUMENTS),
    _case(_COUNT, positional=[{"kind": "callback-context"}], texts=(b"",)),
    _case(b"def f():\n    return {}['a']\n", kind="raised"),
)

# The answer of every tool.
RESULT = {"status": 200, "reason": "OK", "text": json.dumps({"result": {"found": [1, 2]}}), "headers": {}}

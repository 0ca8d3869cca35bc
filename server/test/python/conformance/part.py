#: Part.from_text | PY-12
def f():
    return Part.from_text(text="hi")
#= {"text": "hi"}

#: Part.from_text takes its text by position | PY-12
def f():
    return Part.from_text("hi").text
#= "hi"

#: the raw constructor | PY-12
def f():
    return Part(text="hi")
#= {"text": "hi"}

#: camelCase input, unknown keys ignored | PY-10
def f():
    return Part(functionCall={"name": "pay", "args": {"a": 1}, "zz": 1}, somethingElse=True)
#= {"function_call": {"name": "pay", "args": {"a": 1}}}

#: snake_case input, attributes are snake_case | PY-10
def f():
    return Part(function_response={"name": "pay", "response": {"ok": True}}).function_response.response
#= {"ok": true}

#: absent fields are None | PY-12
def f():
    p = Part.from_text("x")
    return [p.function_call, p.function_response, p.inline_data, Part().text]
#= [null, null, null, null]

#: Part.from_function_call | PY-12
def f():
    return ces_public.Part.from_function_call(name="get_weather", args={"location": "Mountain View"})
#= {"function_call": {"name": "get_weather", "args": {"location": "Mountain View"}}}

#: Part.from_function_response | PY-12
def f():
    return Part.from_function_response(name="pay", response={"output": 1})
#= {"function_response": {"name": "pay", "response": {"output": 1}}}

#: nested aliases build the same classes | PY-12
def f():
    p = Part(function_call=Part.FunctionCall(name="pay", args={}))
    q = Part(function_response=Part.FunctionResponse(name="pay", response={}))
    return [p.has_function_call("pay"), q.has_function_response("pay"), Part.FunctionCall is FunctionCall]
#= [true, true, true]

#: Part.from_inline_data takes plain bytes, although data is base64 | PY-11
def f():
    p = Part.from_inline_data(b"abc", "text/plain")
    return [p.inline_data.data.decode(), p.inline_data.raw_data.decode(), p.inline_data.mime_type, p]
#= ["abc", "abc", "text/plain", {"inline_data": {"data": "YWJj", "mime_type": "text/plain"}}]

#: Part.from_json is a custom payload | PY-13
def f():
    p = Part.from_json('{"a": 1}')
    return [p.inline_data.mime_type, p.inline_data.data.decode()]
#= ["application/json", "{\"a\": 1}"]

#: Part.from_agent_transfer | PY-13
def f():
    return Part.from_agent_transfer(agent="Billing")
#= {"function_call": {"name": "transfer_to_agent", "args": {"agent_name": "Billing"}}}

#: Part.from_end_session | PY-13
def f():
    return [Part.from_end_session(reason="done").function_call, Part.from_end_session(reason="x", escalated=True).function_call.args]
#= [{"name": "end_session", "args": {"reason": "done", "session_escalated": false}}, {"reason": "x", "session_escalated": true}]

#: Part.from_end_session takes keywords only | PY-13
def f():
    Part.from_end_session("done")
#! TypeError: Part.from_end_session() takes 1 positional argument but 2 were given

#: Part.from_customized_response, defaults | PY-14
def f():
    p = Part.from_customized_response(content="Hello")
    import json
    return [p.inline_data.mime_type, json.loads(p.inline_data.raw_data)]
#= ["application/json+agentResponse", {"content": "Hello", "disableBargeIn": false, "enableDtmf": false, "dtmfFinishDigit": "#", "dtmfEndpointingTimeout": 3}]

#: Part.from_customized_response, all set | PY-14
def f():
    p = Part.from_customized_response(content="a", disable_barge_in=True, enable_dtmf=True, dtmf_finish_digit="*", dtmf_endpointing_timeout=9)
    import json
    return list(json.loads(p.inline_data.raw_data).values())
#= ["a", true, true, "*", 9]

#: Part.from_audio | PY-14
def f():
    p = Part.from_audio("gs://a/b.wav", cancellable=True)
    import json
    return [p.inline_data.mime_type, json.loads(p.inline_data.raw_data)]
#= ["application/json+audio", {"audioUri": "gs://a/b.wav", "cancellable": true, "interruptable": true}]

#: text_or_transcript prefers the text | PY-12
def f():
    audio = Part(inline_data={"mimeType": "audio/wav", "data": "AAAA"})
    return [Part.from_text("").text_or_transcript(), audio.text_or_transcript(), Part().text_or_transcript()]
#= ["", null, null]

#: has_function_call and has_function_response compare the name | PY-12
def f():
    p = Part.from_function_call("a", {})
    return [p.has_function_call("a"), p.has_function_call("b"), p.has_function_response("a"), Part().has_function_call("a")]
#= [true, false, false, false]

#: a text that is none is refused | PY-10
def f():
    try:
        Part(text=5)
    except ValueError as error:
        return [type(error).__name__, str(error)]
#= ["ValidationError", "Part.text: 5 is not of type str"]

#: an attribute can be set, an unknown one cannot | PY-10
def f():
    p = Part()
    p.text = "new"
    try:
        p.txt = "x"
    except ValueError as error:
        return [p.text, str(error)]
#= ["new", "\"Part\" object has no field \"txt\""]

#: hasattr tells what a part has | PY-12
def f():
    return [hasattr(Part(), name) for name in ("text", "function_call", "transcript", "from_text")]
#= [true, true, false, true]

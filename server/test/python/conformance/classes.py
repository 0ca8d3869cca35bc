#: Blob.raw_data decodes and encodes data | PY-11
def f():
    blob = Blob(mime_type='text/plain')
    blob.raw_data = b'hello world'
    return [blob.data.decode(), blob.raw_data.decode(), blob.mime_type, blob.display_name]
#= ["aGVsbG8gd29ybGQ=", "hello world", "text/plain", null]

#: Blob.data is base64 | PY-11
def f():
    return [Blob(data=b"aGk=").raw_data.decode(), Blob(data="aGk=", displayName="d").display_name]
#= ["hi", "d"]

#: Blob takes raw_data in its constructor | PY-11
def f():
    return Blob(raw_data=b"abc", mime_type="a/b")
#= {"mime_type": "a/b", "data": "YWJj"}

#: Blob.from_json | PY-11
def f():
    blob = Blob.from_json(data='{"key": "value"}')
    return [blob.mime_type, blob.raw_data.decode(), blob.transcript()]
#= ["application/json", "{\"key\": \"value\"}", null]

#: FunctionCall | PY-15
def f():
    call = FunctionCall(id="1", name="pay", args={"a": [1]})
    return [call.id, call.name, call.args, FunctionCall().args]
#= ["1", "pay", {"a": [1]}, null]

#: FunctionResponse | PY-15
def f():
    response = FunctionResponse(id="1", name="pay", response={"output": 1}, willContinue=True)
    return [response.id, response.name, response.response, response.will_continue]
#= ["1", "pay", {"output": 1}, true]

#: Content knows who speaks | PY-15
def f():
    return [[c.is_user(), c.is_model()] for c in (Content(role="user"), Content(role="model"), Content(role="agent"), Content())]
#= [[true, false], [false, true], [false, false], [false, false]]

#: Content takes parts as objects and as dicts | PY-15
def f():
    content = Content(parts=[Part.from_text("a"), {"text": "b"}], role="model")
    return [[part.text for part in content.parts], type(content.parts[1]).__name__]
#= [["a", "b"], "Part"]

#: Event answers its questions | PY-15
def f():
    e = Event(author="Desk", errorCode="X", content=Content(parts=[Part.from_text("a")]))
    return [e.is_user(), e.is_agent(), e.is_agent("Desk"), e.is_agent(agent_name="Other"), e.has_error(), e.parts()[0].text]
#= [false, true, true, false, true, "a"]

#: Event.parts is empty without content | PY-15
def f():
    return [Event().parts(), Event(content=Content()).parts(), Event(author="user").is_user(), Event().has_error()]
#= [[], [], true, false]

#: Event has its attributes | PY-15
def f():
    names = "id invocation_id author timestamp content actions long_running_tool_ids partial turn_complete error_code error_message interrupted branch grounding_metadata".split()
    return [name for name in names if not hasattr(Event(), name)]
#= []

#: EventActions has its attributes | PY-15
def f():
    a = EventActions(stateDelta={"a": 1}, transferToAgent="B")
    return [a.skip_summarization, a.state_delta, a.artifact_delta, a.transfer_to_agent, a.escalate, a.requested_auth_configs, a.end_invocation]
#= [null, {"a": 1}, {}, "B", null, {}, null]

#: LlmRequest and its config | PY-15
def f():
    r = LlmRequest(model="m", contents=[{"role": "user", "parts": [{"text": "hi"}]}])
    r.config.hide_tool("pay")
    r.config.hide_tool("look")
    return [r.model, r.contents[0].parts[0].text, r.config.excluded_tools, r.config.system_instruction, r.config.tools]
#= ["m", "hi", ["pay", "look"], null, null]

#: LlmRequest has no messages | PY-16
def f():
    return LlmRequest().messages
#! AttributeError: 'LlmRequest' object has no attribute 'messages'

#: ToolDeclaration and FunctionDeclaration show names only | PY-16
def f():
    t = ToolDeclaration(function_declarations=[FunctionDeclaration(name="pay")])
    return [t.function_declarations[0].name, list(FunctionDeclaration.model_fields)]
#= ["pay", ["name"]]

#: LlmResponse.from_parts speaks as the model | PY-16
def f():
    response = LlmResponse.from_parts(
      parts=[
        Part.from_text(text="hello world")
      ]
    )
    return [response, response.partial, response.turn_complete]
#= [{"content": {"role": "model", "parts": [{"text": "hello world"}]}}, null, null]

#: LlmResponse raw | PY-16
def f():
    return LlmResponse(content=Content(role="model", parts=[Part(text="a")]), partial=True)
#= {"content": {"role": "model", "parts": [{"text": "a"}]}, "partial": true}

#: Tool | PY-6
def f():
    tool = Tool(name="pay", description="Pays.")
    return [tool.name, tool.description]
#= ["pay", "Pays."]

#: HttpMethod is a string enum | PY-17
def f():
    return [[m.value for m in HttpMethod], HttpMethod.GET == "GET", isinstance(HttpMethod.PUT, str), HttpMethod("PATCH").name]
#= [["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"], true, true, "PATCH"]

#: StatusError | PY-17
def f():
    try:
        raise StatusError(status_code=404, reason="Not Found")
    except Exception as error:
        return [error.status_code, error.reason, str(error), StatusError(500).reason]
#= [404, "Not Found", "404: Not Found", ""]

#: ToolContext is a CallbackContext | PY-18
def f():
    return [issubclass(ToolContext, CallbackContext), ToolContext(function_call_id="c").function_call_id]
#= [true, "c"]

#: model_dump and its options | PY-10
def f():
    p = Part.from_function_call("pay", {"a": None})
    return [p.model_dump(exclude_none=True), p.model_dump(include={"text"}), p.model_dump(exclude_unset=True, by_alias=True),
            list(p.model_dump(exclude={"text"})), p.dict(exclude_none=True) == p.model_dump(exclude_none=True)]
#= [{"function_call": {"name": "pay", "args": {"a": null}}}, {"text": null}, {"functionCall": {"name": "pay", "args": {"a": null}}}, ["function_call", "function_response", "inline_data"], true]

#: model_dump_json | PY-10
def f():
    p = Part.from_text("ä")
    return [p.model_dump_json(exclude_none=True), p.json(exclude_none=True), p.model_dump_json(exclude_none=True, indent=1)]
#= ["{\"text\":\"\\u00e4\"}", "{\"text\":\"\\u00e4\"}", "{\n \"text\": \"ä\"\n}"]

#: model_validate, model_validate_json, parse_obj | PY-10
def f():
    return [Content.model_validate({"role": "user", "parts": [{"text": "a"}]}).parts[0].text,
            Part.model_validate_json('{"functionCall": {"name": "pay"}}').function_call.name, Part.parse_obj({"text": "b"}).text]
#= ["a", "pay", "b"]

#: model_copy and copy | PY-10
def f():
    import copy
    c = Content(role="user", parts=[Part.from_text("a")])
    shallow, deep = c.model_copy(update={"role": "model"}), copy.deepcopy(c)
    deep.parts[0].text = "b"
    return [shallow.role, shallow.parts is c.parts, c.parts[0].text, deep.parts[0].text, c.model_copy(deep=True) == c]
#= ["model", true, "a", "b", true]

#: equality, repr, iteration, fields set | PY-10
def f():
    p = Part.from_text("a")
    return [p == Part(text="a"), p == Part(text="b"), p == "a", repr(p), str(FunctionCall(name="x")), dict(Tool(name="t")), sorted(p.model_fields_set)]
#= [true, false, false, "Part(text='a', function_call=None, function_response=None, inline_data=None)", "id=None name='x' args=None", {"name": "t", "description": null}, ["text"]]

#: classes can be extended | PY-10
def f():
    class Priced(Part):
        price: float = 0.0
        def label(self): return f"{self.text}: {self.price:.2f}"
    return [Priced(text="tea", price=2).label(), isinstance(Priced(), Part), Priced.from_text("x").label()]
#= ["tea: 2.00", true, "x: 0.00"]

#: model_json_schema | PY-10
def f():
    return Tool.model_json_schema()
#= {"title": "Tool", "type": "object", "properties": {"name": {"type": "string", "nullable": true}, "description": {"type": "string", "nullable": true}}}

#: models can be pickled and matched | PY-10
def f():
    import pickle
    copy = pickle.loads(pickle.dumps(Content(role="user", parts=[Part.from_text("hi")])))
    match copy.parts[0]:
        case Part(text=str(text)):
            return [text, copy.role, copy.is_user()]
#= ["hi", "user", true]

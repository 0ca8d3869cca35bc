import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "./test-sandbox.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

/** Evaluates one expression, after some statements, inside the guest. */
const evaluate = (expression: string, statements = "") =>
  sandbox.value(`def f():\n${indent(statements)}    return ${expression}\n`);
const indent = (statements: string) =>
  statements
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => `    ${line}\n`)
    .join("");

describe("Part with two fields", () => {
  const pairs = [
    [`text="a", inline_data=Blob(mime_type="x/y")`, "text and inline_data"],
    [`text="", function_call=FunctionCall(name="f")`, "text and function_call"],
    [`functionCall={"name": "f"}, functionResponse={"name": "f"}`, "function_call and function_response"],
  ];
  for (const [given, named] of pairs) {
    it(`is refused: ${named}`, async () => {
      const statements = `try:\n  Part(${given})\nexcept ValueError as error:\n  return [type(error).__name__, str(error)]\n`;
      const [type, message] = (await evaluate("None", statements)) as string[];
      assert.equal(type, "ValidationError");
      assert.match(message ?? "", new RegExp(`^Part: ${named} are set`));
    });
  }
});

describe("Part", () => {
  const cases: readonly [claim: string, expression: string, json: unknown][] = [
    ["from_text", `Part.from_text("hi")`, { text: "hi" }],
    ["the raw constructor", `Part(text="hi")`, { text: "hi" }],
    [
      "camelCase keys, unknown keys ignored",
      `Part(functionCall={"name": "x"}, zz=1)`,
      { function_call: { name: "x" } },
    ],
    [
      "from_function_call",
      `Part.from_function_call(name="pay", args={"eur": 5})`,
      { function_call: { name: "pay", args: { eur: 5 } } },
    ],
    [
      "from_function_response",
      `Part.from_function_response("pay", {"output": True})`,
      { function_response: { name: "pay", response: { output: true } } },
    ],
    [
      "from_json",
      `Part.from_json('{"a": 1}')`,
      { inline_data: { data: base64('{"a": 1}'), mime_type: "application/json" } },
    ],
    [
      "from_inline_data with plain bytes",
      `Part.from_inline_data(b"test", "text/plain")`,
      { inline_data: { data: base64("test"), mime_type: "text/plain" } },
    ],
    [
      "from_agent_transfer",
      `Part.from_agent_transfer(agent="Billing")`,
      { function_call: { name: "transfer_to_agent", args: { agent_name: "Billing" } } },
    ],
    [
      "from_end_session",
      `Part.from_end_session(reason="done", escalated=True)`,
      { function_call: { name: "end_session", args: { reason: "done", session_escalated: true } } },
    ],
    [
      "nested aliases",
      `Part(function_call=Part.FunctionCall(name="x", args={}))`,
      { function_call: { name: "x", args: {} } },
    ],
    ["the ces_public prefix", `ces_public.Part.from_text(text="hi")`, { text: "hi" }],
    ["the ces_internal prefix", `ces_internal.Part.from_text(text="hi")`, { text: "hi" }],
  ];
  for (const [claim, expression, json] of cases) {
    it(`is built by ${claim}`, async () => assert.deepEqual(await evaluate(expression), json));
  }

  it("carries customized responses and audio as JSON payloads", async () => {
    const parts = (await evaluate(
      `[Part.from_customized_response(content="Hello", disable_barge_in=True), Part.from_audio("gs://a/b.wav")]`,
    )) as { inline_data: { data: string; mime_type: string } }[];
    const decoded = parts.map(({ inline_data: { data, mime_type } }) => [
      mime_type,
      JSON.parse(Buffer.from(data, "base64").toString()),
    ]);
    assert.deepEqual(decoded, [
      [
        "application/json+agentResponse",
        { content: "Hello", disableBargeIn: true, enableDtmf: false, dtmfFinishDigit: "#", dtmfEndpointingTimeout: 3 },
      ],
      ["application/json+audio", { audioUri: "gs://a/b.wav", cancellable: false, interruptable: true }],
    ]);
  });

  it("tells its text or transcript and what it calls", async () => {
    const value = await evaluate(
      `[p.text_or_transcript(), p.has_function_call("x"), q.has_function_call("x"), q.has_function_response("x"), q.text]`,
      `p = Part.from_text("hi")\nq = Part.from_function_call("x", {})`,
    );
    assert.deepEqual(value, ["hi", false, true, false, null]);
  });

  it("refuses a value of the wrong type and an unknown attribute", async () => {
    const value = await evaluate(
      `caught`,
      `caught = []
for wrong in (lambda: Part(text=5), lambda: setattr(Part(), "txt", "x"), lambda: Part().nothing):
    try:
        wrong()
    except (ValueError, AttributeError) as error:
        caught.append(str(error))`,
    );
    assert.deepEqual(value, [
      "Part.text: 5 is not of type str",
      '"Part" object has no field "txt"',
      "'Part' object has no attribute 'nothing'",
    ]);
  });
});

describe("Blob", () => {
  it("holds base64 text in data and plain bytes in raw_data", async () => {
    const value = await evaluate(
      `[blob.data.decode(), blob.raw_data.decode(), blob, Blob(data=b"aGk=").raw_data.decode()]`,
      `blob = Blob(mime_type="text/plain")\nblob.raw_data = b"hello world"`,
    );
    const data = base64("hello world");
    assert.deepEqual(value, [data, "hello world", { mime_type: "text/plain", data }, "hi"]);
  });
});

describe("Content, Event and LlmResponse", () => {
  it("answer their questions", async () => {
    const value = await evaluate(
      `[c.is_user(), c.is_model(), e.is_agent(), e.is_agent("B"), e.is_user(), e.has_error(), len(e.parts()), Event().parts(), r]`,
      `c = Content(role="user", parts=[Part.from_text("a")])
e = Event(author="A", content=c, errorCode="X")
r = LlmResponse.from_parts([Part.from_text("ok")])`,
    );
    const response = { content: { role: "model", parts: [{ text: "ok" }] } };
    assert.deepEqual(value, [true, false, true, false, false, true, 1, [], response]);
  });

  it("behave like Pydantic models where code expects it", async () => {
    const value = await evaluate(
      `[c.model_dump(exclude_none=True), c == Content(role="user", parts=[]), str(c), c.model_copy(update={"role": "model"}), d]`,
      `c = Content(role="user", parts=[])\nd = Part.from_text("x").model_dump(by_alias=True)`,
    );
    assert.deepEqual(value, [
      { parts: [], role: "user" },
      true,
      "parts=[] role='user'",
      { parts: [], role: "model" },
      { text: "x", functionCall: null, functionResponse: null, inlineData: null },
    ]);
  });
});

describe("the context", () => {
  const event = (author: string, text: string) => ({
    id: text,
    invocation_id: "i",
    author,
    timestamp: 1,
    content: { role: author === "user" ? "user" : "model", parts: [{ text }] },
  });
  const context = {
    events: [
      event("user", "a"),
      event("Front desk", "b"),
      event("user", "c"),
      event("user", "d"),
      event("Front desk", "e"),
    ],
    userContent: { role: "user", parts: [{ text: "d" }] },
    extra: { language_code: "de-DE", turn_index: 2, app_id: "app" },
  };
  const seen = (expression: string, options = {}) =>
    sandbox.value(`def f():\n    return ${expression}\n`, { context: { ...context, ...options } });

  it("shows the conversation", async () => {
    const value = await seen(
      `[context.user_content.parts[0].text, context.invocation_id, context.agent_name, context.session_id, context.language_code,
        context.turn_index, context.project_id, [e.author for e in context.events], [p.text for p in context.parts()],
        context.events[1].actions.state_delta, context.events[0].content.parts[0].function_call]`,
    );
    assert.deepEqual(value, [
      ...["d", "invocation-1", "Front desk", "session-1", "de-DE", 2, null],
      ["user", "Front desk", "user", "user", "Front desk"],
      ["a", "b", "c", "d", "e"],
      ...[{}, null],
    ]);
  });

  it("finds the last input and output; a newest event of the other side is swept in", async () => {
    const texts = (method: string) => seen(`[p.text for p in context.${method}()]`);
    assert.deepEqual(await texts("get_last_agent_output"), ["e"]);
    assert.deepEqual(await texts("get_last_user_input"), ["c", "d", "e"]);
  });

  it("is a ToolContext when a function call is answered, and a CallbackContext otherwise", async () => {
    assert.deepEqual(await seen(`[type(context).__name__, context.function_call_id]`, { functionCallId: "call-1" }), [
      "ToolContext",
      "call-1",
    ]);
    assert.equal(await seen(`type(context).__name__`), "CallbackContext");
  });
});

describe("globals", () => {
  it("are those of the hosted product: requests is ces_requests, and importlib needs no import (PY-57)", async () => {
    assert.deepEqual(await evaluate(`[requests is ces_requests, importlib.import_module("json").dumps([1])]`), [
      true,
      "[1]",
    ]);
  });

  it("hold typing names, platform classes and enums without an import", async () => {
    const code = `
def f(a: Optional[List[str]] = None, b: Dict[str, Any] = {}, c: Literal["x"] = "x") -> Union[int, None]:
    return [HttpMethod.GET.value, isinstance(ces_requests, Requests), isinstance(tools, Tools), isinstance(async_tools, AsyncTools),
            GenerateContentConfig().excluded_tools, Tool(name="t", description="d"), ToolDeclaration(), FunctionDeclaration(name="x").name]
`;
    assert.deepEqual(await sandbox.value(code), [
      ...["GET", true, true, true, null],
      { name: "t", description: "d" },
      ...[{}, "x"],
    ]);
  });

  it("raise StatusError with the status", async () => {
    const value = await evaluate(
      `caught`,
      `try:
    ExternalResponse(text="no", status_code=404, reason="Not Found").raise_for_status()
except StatusError as error:
    caught = [error.status_code, error.reason, str(error)]`,
    );
    assert.deepEqual(value, [404, "Not Found", "404: Not Found"]);
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

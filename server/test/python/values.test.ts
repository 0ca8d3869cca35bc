import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { call, ScriptedModel, say, type TestSession, testSandbox, testSession } from "#testing/engine";
import { generator, randomJson } from "../../../python/test/random-json.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

/** Random values, and those that people met. */
const next = generator(20);
const VALUES = [
  '{"9":1,"1":2}',
  "5.0",
  "9007199254740993",
  '[150.0,{"10":{"2":1.0,"1":-12345678901234567890}}]',
  ...Array.from({ length: 40 }, () => randomJson(next, 4)),
];

const GIVEN = `import json
GIVEN = [json.loads(text) for text in json.loads(r'''${JSON.stringify(VALUES)}''')]
def same(values):
  assert json.dumps(values) == json.dumps(GIVEN), f"{json.dumps(values)} is not {json.dumps(GIVEN)}"
`;

const PUT = `${GIVEN}
def put() -> dict:
  for number, value in enumerate(GIVEN):
    set_variable(f"v{number}", value)
  set_variable("all", GIVEN)
  return GIVEN
`;

const CHECK = `${GIVEN}
def variables():
  return [get_variable(f"v{number}") for number in range(len(GIVEN))]

def check() -> str:
  same(get_variable("all"))
  same(variables())
  same(tools.put().json()["result"])
  same([tools.echo({"value": value}).json()["result"] for value in GIVEN])
  return "checked"
`;

const ECHO = "def echo(value, **more):\n  return value\n";

const BEFORE_TOOL = `${GIVEN}
def before_tool_callback(tool, input, callback_context):
  if tool.name == "check":
    same(callback_context.variables["all"])
`;

const AFTER_TOOL = `${GIVEN}
def after_tool_callback(tool, input, callback_context, tool_response):
  if tool.name == "put":
    same(tool_response["result"])
`;

/** Reads everything that a later turn sees of the first one. */
const BEFORE_MODEL = `${GIVEN}
def before_model_callback(callback_context, llm_request):
  if callback_context.turn_index < 2:
    return None
  same(callback_context.variables["all"])
  deltas = [event.actions.state_delta for event in callback_context.events if event.actions.state_delta]
  same(deltas[0]["all"])
  same([deltas[0][f"v{number}"] for number in range(len(GIVEN))])
  parts = [part for content in llm_request.contents for part in content.parts]
  same([part.function_response.response for part in parts if part.function_response][0]["result"])
  parts = callback_context.parts()
  same([part.function_response.response for part in parts if part.function_response][0]["result"])
  return LlmResponse.from_parts([Part.from_text("all the same")])
`;

describe("values of tools, variables and callbacks (PY-42)", () => {
  it("come back as they went in, in the turn, in the next one and after a restart", async () => {
    const model = new ScriptedModel(call("put", {}), call("check", {}), say("Done."));
    const callbacks = { beforeTool: [BEFORE_TOOL], afterTool: [AFTER_TOOL], beforeModel: [BEFORE_MODEL] };
    const agents = { Root: { tools: ["put", "check"], ...callbacks } };
    await using session = await testSession({ model, sandbox, agents, python: { put: PUT, check: CHECK, echo: ECHO } });
    assert.deepEqual(failuresOf(await session.send("Go")), []);
    assert.deepEqual(failuresOf(await session.send("Still?")), []);
    await session.restart();
    assert.deepEqual(failuresOf(await session.send("And now?")), []);
  });
});

/** What went wrong in user code: errors of callbacks, and responses of tools that failed. */
function failuresOf(outputs: Awaited<ReturnType<TestSession["send"]>>): readonly unknown[] {
  const spans = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans ?? [];
  return spans.flatMap(({ attributes }) => attributes?.error ?? []);
}

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { App_ToolExecutionMode } from "@frontdesk/protos/ces/app";
import type { JsonObject } from "#base";
import { call, ScriptedModel, say, spoken, testSandbox, testSession, toolResource } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

/** Writes a variable of its own and one that others write too, and returns what it saw. The first one called ends last. */
const WRITER = `import time
def write(name: str) -> dict:
  seen = get_variable("shared")
  time.sleep(0.05 if name == "a" else 0)
  set_variable("shared", name)
  set_variable(name, True)
  return {"saw": seen}
`;

async function bothWrite(mode: App_ToolExecutionMode) {
  const model = new ScriptedModel(
    [...call("write", { name: "a" }, "1"), ...call("write", { name: "b" }, "2")],
    say("ok"),
  );
  await using session = await testSession({
    model,
    sandbox,
    agents: { Root: { tools: ["write"] } },
    python: { write: WRITER },
    variables: { shared: "start" },
    app: { toolExecutionMode: mode },
  });
  const outputs = await session.send("Go");
  const head = await session.storage.conversations.getHead("projects/p/locations/us/apps/test/conversations/session-1");
  return {
    responses: model.requests[1]?.messages
      .at(-1)
      ?.parts.map((part) => part.kind === "function-response" && part.response),
    variables: JSON.parse(head?.state ?? "{}").variables,
    recorded: outputs.at(-1)?.diagnosticInfo?.messages[2]?.chunks.map(({ data }) => data.case),
  };
}

describe("calls proposed together", () => {
  it("start from the same variables in parallel mode; per variable the last call wins", async () => {
    assert.deepEqual(await bothWrite(App_ToolExecutionMode.TOOL_EXECUTION_MODE_UNSPECIFIED), {
      responses: [{ result: { saw: "start" } }, { result: { saw: "start" } }],
      variables: { shared: "b", a: true, b: true },
      recorded: ["toolResponse", "toolResponse", "updatedVariables"],
    });
  });

  it("see each other's writes in sequential mode", async () => {
    assert.deepEqual(await bothWrite(App_ToolExecutionMode.SEQUENTIAL), {
      responses: [{ result: { saw: "start" } }, { result: { saw: "a" } }],
      variables: { shared: "b", a: true, b: true },
      recorded: ["toolResponse", "toolResponse", "updatedVariables"],
    });
  });
});

describe("a tool that fails", () => {
  it("answers the hosted envelope, keeps the turn going and shows its line in the trace", async () => {
    const model = new ScriptedModel(call("fail", { code: 7 }), say("Sorry."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["fail"] } },
      python: { fail: `def fail(code: int) -> dict:\n  print("about to fail")\n  raise ValueError(f"code {code}")\n` },
    });
    const outputs = await session.send("Go");
    const place = "(tools/fail/python_function/python_code.py, line 3)";
    const response = { status: "error", error: `Python function execution failed: ValueError: code 7 ${place}` };
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      { kind: "function-response", id: "call-fail", name: "fail", response },
    ]);
    const span = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans.find(({ name }) => name === "Tool");
    assert.deepEqual(span?.attributes, {
      name: "fail",
      agent: "Root",
      args: { code: 7 },
      response,
      output: ["about to fail"],
      error: response.error,
      frames: [
        {
          filename: "tools/fail/python_function/python_code.py",
          line: 3,
          function: "fail",
          source: `raise ValueError(f"code {code}")`,
        },
      ],
    });
  });
});

/** Tells which arguments came. `session_id` is the callback's, `mood` the model's. */
const LOOK_UP = `def look_up(order_id: str, verbose: bool = False) -> dict:
  return {"order": order_id, "verbose": verbose}
`;
const ADDS_SESSION_ID = `def before_tool_callback(tool, input, callback_context):
  input["session_id"] = callback_context.session_id
`;

describe("arguments that a Python tool does not have", () => {
  const called = async (python: Readonly<Record<string, string>>, name: string, args: JsonObject) => {
    const model = new ScriptedModel(call(name, args), say("Done."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: [name], beforeTool: [ADDS_SESSION_ID] } },
      python,
    });
    const outputs = await session.send("Go");
    const span = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans.find(({ name: kind }) => kind === "Tool");
    return span?.attributes;
  };

  it("are dropped with a warning in the span, be they from a callback or from the model", async () => {
    assert.deepEqual(await called({ look_up: LOOK_UP }, "look_up", { order_id: "A-1", mood: "good" }), {
      name: "look_up",
      agent: "Root",
      args: { order_id: "A-1", mood: "good", session_id: "session-1" },
      response: { result: { order: "A-1", verbose: false } },
      warnings: ["The function of tool 'look_up' has no parameters mood, session_id; the arguments were dropped."],
    });
  });

  it("are all given to a function with **kwargs", async () => {
    const look = `def look(order_id: str, **rest) -> dict:\n  return {"order": order_id, **rest}\n`;
    const { response, warnings } = (await called({ look }, "look", { order_id: "A-1", mood: "good" })) ?? {};
    assert.deepEqual(response, { result: { order: "A-1", mood: "good", session_id: "session-1" } });
    assert.equal(warnings, undefined);
  });

  it("do not make up for one that it needs", async () => {
    const { response } = (await called({ look_up: LOOK_UP }, "look_up", { id: "A-1" })) ?? {};
    assert.deepEqual(response, { status: "error", error: "Missing parameter: order_id" });
  });

  it("are dropped when other Python calls the tool, and the caller's span has the warning", async () => {
    const outer = `def outer(**ignored) -> dict:\n  return tools.look_up({"order_id": "A-1", "mood": "good"}).json()["result"]\n`;
    const { response, calls } = (await called({ outer, look_up: LOOK_UP }, "outer", {})) ?? {};
    assert.deepEqual(response, { result: { order: "A-1", verbose: false } });
    assert.deepEqual(calls, [
      {
        name: "look_up",
        warnings: ["The function of tool 'look_up' has no parameter mood; the argument was dropped."],
      },
    ]);
  });
});

describe("a client function called beside a transfer (TOOL-53)", () => {
  it("is answered to the agent that called it, whose after_tool callbacks run", async () => {
    const note = (agent: string) => `def after_tool_callback(tool, input, callback_context, tool_response):
  return {"by": "${agent}", "as": callback_context.agent_name}
`;
    const model = new ScriptedModel(
      [...call("locate"), ...call("transfer_to_agent", { agent_name: "Child" })],
      say("Child here."),
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Root: { tools: ["locate"], children: ["Child"], afterTool: [note("Root")] },
        Child: { afterTool: [note("Child")] },
      },
      tools: [
        {
          name: toolResource("locate"),
          displayName: "locate",
          toolType: { case: "clientFunction", value: { name: "locate" } },
        },
      ],
    });
    await session.send("Where?");
    await session.restart();
    const toolResponses = [{ id: "call-locate", response: { city: "Graz" } }];
    const outputs = await session.send([{ case: "toolResponses", value: { toolResponses } }]);
    assert.equal(spoken(outputs)[0], "Child here.");
    const told = JSON.stringify(model.requests.at(-1)?.messages);
    assert.ok(told.includes('`locate` tool returned result: {\\"by\\":\\"Root\\",\\"as\\":\\"Root\\"}'), told);
  });
});

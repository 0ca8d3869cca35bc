import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { App_ToolExecutionMode } from "@frontdesk/protos/ces/app";
import { call, ScriptedModel, say, testSandbox, testSession } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

/** Writes a variable of its own and one that others write too, and tells what it saw. The first one called ends last. */
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

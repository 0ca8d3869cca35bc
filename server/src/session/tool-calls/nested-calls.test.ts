import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { call, ScriptedModel, say, testSandbox, testSession } from "#testing/engine";
import { marksOf, markWord } from "../conversations/turn-marks.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

const OUTER = `def outer() -> dict:
  print("outer")
  good = tools.inner({"n": 1})
  bad = tools.inner({"n": 0})
  return {"good": good.json()["result"], "bad": bad.status_code}
`;

const INNER = `def inner(n: int) -> dict:
  logger.info("inner %d", n)
  return {"n": 1 // n}
`;

describe("the trace of a tool that calls others", () => {
  it("shows what those printed, and where they failed although the caller went on", async () => {
    const model = new ScriptedModel(call("outer"), say("Done."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["outer"] } },
      python: { outer: OUTER, inner: INNER },
    });
    const outputs = await session.send("Go");
    const { childSpans = [] } = outputs.at(-1)?.diagnosticInfo?.rootSpan ?? {};
    const filename = "tools/inner/python_function/python_code.py";
    const error = `Python function execution failed: ZeroDivisionError: integer division or modulo by zero (${filename}, line 3)`;
    assert.deepEqual(childSpans.find(({ name }) => name === "Tool")?.attributes, {
      name: "outer",
      agent: "Root",
      args: {},
      response: { result: { good: { n: 1 }, bad: 500 } },
      output: ["outer"],
      calls: [
        { name: "inner", output: ["INFO inner 1"] },
        {
          name: "inner",
          output: ["INFO inner 0"],
          error,
          frames: [{ filename, line: 3, function: "inner", source: 'return {"n": 1 // n}' }],
        },
      ],
    });
  });

  it("shows the first twenty, and of the others how often each tool ran and failed, at any depth", async () => {
    const many = `def many() -> dict:
  for n in range(23):
    tools.inner({"n": 1})
  tools.inner({"n": 0})
  tools.between({})
  return {}
`;
    const between = `def between() -> dict:
  tools.last({})
  tools.inner({"n": 0})
  return {}
`;
    const last = `def last() -> dict:
  return {}
`;
    await using session = await testSession({
      model: new ScriptedModel(call("many"), say("Done.")),
      sandbox,
      agents: { Root: { tools: ["many"] } },
      python: { many, inner: INNER, between, last },
    });
    const outputs = await session.send("Go");
    const rootSpan = outputs.at(-1)?.diagnosticInfo?.rootSpan;
    const { calls = [] } = rootSpan?.childSpans.find(({ name }) => name === "Tool")?.attributes ?? {};
    const error = /^Python function execution failed: ZeroDivisionError: /;
    assert.ok(Array.isArray(calls));
    assert.equal(calls.length, 24);
    assert.deepEqual(calls[19], { name: "inner", output: ["INFO inner 1"] });
    const [, failed, ...others] = calls.slice(20);
    assert.deepEqual(
      [calls[20], ...others],
      [
        { name: "inner", times: 3 },
        { name: "last", times: 1 },
        { name: "between", times: 1 },
      ],
    );
    assert.ok(failed !== null && typeof failed === "object" && !Array.isArray(failed));
    assert.deepEqual([failed.name, failed.times], ["inner", 2]);
    assert.match(String(failed.error), error);
    const marks = rootSpan ? marksOf([], rootSpan) : [];
    for (const mark of [markWord("tool", "last"), markWord("failed_tool", "inner"), markWord("tool", "between")])
      assert.ok(marks.includes(mark));
  });

  it("shows the same of a callback", async () => {
    const beforeAgent = `def before_agent_callback(callback_context):\n  tools.inner({"n": 2})\n`;
    await using session = await testSession({
      model: new ScriptedModel(say("Hello.")),
      sandbox,
      agents: { Root: { beforeAgent: [beforeAgent] } },
      python: { inner: INNER },
    });
    const outputs = await session.send("Go");
    const { childSpans = [] } = outputs.at(-1)?.diagnosticInfo?.rootSpan ?? {};
    assert.deepEqual(childSpans.find(({ name }) => name === "Callback")?.attributes, {
      agent: "Root",
      stage: "before_agent",
      description: "",
      calls: [{ name: "inner", output: ["INFO inner 2"] }],
    });
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ToolSchema } from "@frontdesk/protos/ces/tool";
import { NotInspected, type PythonModule } from "#sandbox";
import { Code, type ConnectError } from "#status";
import { call, ScriptedModel, say, spoken, testSession, toolResource } from "#testing/engine";

const MODULE: PythonModule = { kind: "module", functions: [] };

describe("an agent whose Python tools are not looked at, because guests are busy (TOOL-50)", () => {
  it("fails the turn with when to come back, and has its tools in the next", async () => {
    const found = [
      new NotInspected("no Python guest became free within 10000 ms", "exhausted"),
      new NotInspected("the guest ended", "crashed"),
    ];
    const model = new ScriptedModel(say("Here."));
    await using session = await testSession({
      model,
      sandbox: {
        run: () => Promise.reject(new Error("nothing runs here")),
        inspect: async () => {
          const error = found.shift();
          if (error) throw error;
          return { ...MODULE, functions: [LOOK] };
        },
      },
      agents: { Root: { tools: ["look"] } },
      python: { look: "def look() -> dict: ..." },
    });
    await assert.rejects(session.send("Hello"), (error: ConnectError) => {
      assert.equal(error.code, Code.ResourceExhausted);
      assert.equal(error.rawMessage, "Python is busy: no Python guest became free within 10000 ms.");
      return true;
    });
    await assert.rejects(session.send("Hello"), (error: ConnectError) => {
      assert.equal(error.code, Code.Unavailable);
      assert.equal(error.rawMessage, "The code of tool 'look' could not be looked at: the guest ended.");
      return true;
    });
    assert.deepEqual(spoken(await session.send("Hello"))[0], "Here.");
    assert.deepEqual(
      model.requests.map(({ tools }) => tools.map(({ name }) => name)),
      [["look"]],
    );
  });
});

describe("a call of a tool whose code is not looked at, because guests are busy (TOOL-56)", () => {
  const busy = () => Promise.reject(new NotInspected("no Python guest became free within 10000 ms", "exhausted"));
  const error = "Python function execution failed: no Python guest became free within 10000 ms";

  /** What the model gets of a call in a session whose guests are busy once the tool is declared. */
  async function responseTo(tool: MessageInitShape<typeof ToolSchema>, useToolFakes: boolean) {
    const model = new ScriptedModel(call("look"), say("Later, please."));
    const found: (() => Promise<PythonModule>)[] = [async () => ({ ...MODULE, functions: [LOOK] })];
    await using session = await testSession({
      model,
      sandbox: {
        run: () => Promise.reject(new Error("nothing runs here")),
        inspect: () => (found.shift() ?? busy)(),
      },
      agents: { Root: { tools: ["look"] } },
      tools: [tool],
    });
    const outputs = await session.send("Hello", { config: { useToolFakes } });
    assert.deepEqual(spoken(outputs)[0], "Later, please.");
    return model.requests[1]?.messages.at(-1)?.parts;
  }

  const tool = {
    name: toolResource("look"),
    displayName: "look",
    toolType: { case: "pythonFunction", value: { name: "look", pythonCode: "def look() -> dict: ..." } },
  } as const;
  const codeBlock = { pythonCode: "def fake_tool_call(tool, input, callback_context): ..." };
  const toolFakeConfig = { enableFakeMode: true, toolResponse: { case: "codeBlock", value: codeBlock } } as const;

  for (const [what, definition, useToolFakes] of [
    ["the tool", tool, false],
    ["its fake", { ...tool, toolFakeConfig }, true],
  ] as const) {
    it(`is an error for the model, and the turn goes on: ${what}`, async () => {
      const parts = await responseTo(definition, useToolFakes);
      assert.partialDeepStrictEqual(parts, [{ kind: "function-response", response: { status: "error", error } }]);
    });
  }
});

const LOOK = {
  name: "look",
  line: 1,
  column: 1,
  docstring: "",
  summary: "",
  parameters: [],
  returns: "dict",
  returnSchema: { type: "object" },
};

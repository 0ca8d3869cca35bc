import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NotInspected, type PythonModule } from "#sandbox";
import { Code, type ConnectError } from "#status";
import { ScriptedModel, say, spoken, testSession } from "#testing/engine";

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
    await assert.rejects(session.send("Hello"), /the guest ended/);
    assert.deepEqual(spoken(await session.send("Hello"))[0], "Here.");
    assert.deepEqual(
      model.requests.map(({ tools }) => tools.map(({ name }) => name)),
      [["look"]],
    );
  });
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

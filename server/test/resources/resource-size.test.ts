import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { APP, openResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

describe("a resource of very many values", () => {
  it("cannot be made of several updates, each of another field (WIRE-23)", async () => {
    await using test = await openResources();
    const name = `${APP}/agents/greeter`;
    const callbacks = () =>
      Array.from({ length: 12_000 }, () => ({
        description: "d",
        callback: { case: "pythonCode" as const, value: "def before_agent_callback(callback_context): ..." },
      }));
    await test.call("createAgent", {
      parent: APP,
      agentId: "greeter",
      agent: { displayName: "Greeter", beforeAgentCallbacks: callbacks() },
    });
    const update = test.call("updateAgent", { agent: { name, afterAgentCallbacks: callbacks() } });
    assert.deepEqual(await statusErrorOf(update), {
      code: "InvalidArgument",
      violations: {
        agent: "The resource would have more than 50000 values. Divide it, or make another field smaller first.",
      },
    });
    assert.equal((await test.call("getAgent", { name })).afterAgentCallbacks.length, 0);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestServer } from "#testing";

describe("every registered method", () => {
  it("has a handler", async () => {
    await using server = await startTestServer();
    const unserved = server.app.registry.methods
      .filter(({ implemented, method, internalMethod }) => !implemented && method === internalMethod)
      .map(({ method }) => `${method.parent.typeName}.${method.name}`);
    assert.deepEqual(unserved, []);
  });
});

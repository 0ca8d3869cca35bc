import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestServer } from "#testing";
import { PENDING_METHODS } from "./pending-methods.ts";

describe("every registered method", () => {
  it("has a handler, or is listed as pending", async () => {
    await using server = await startTestServer();
    const unserved = server.app.registry.methods
      .filter(({ implemented, method, internalMethod }) => !implemented && method === internalMethod)
      .map(({ method }) => `${method.parent.typeName}.${method.name}`);
    assert.deepEqual(unserved.sort(), [...PENDING_METHODS].sort());
  });
});

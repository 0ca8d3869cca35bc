import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readOperations } from "./read-operations.ts";

const text = (path: string) => JSON.stringify({ openapi: "3.0.3", paths: { [path]: { get: { operationId: "get" } } } });

describe("an OpenAPI document", () => {
  it("is read once for all messages that hold its text", () => {
    const first = readOperations({}, text("/a"));
    assert.equal(readOperations({}, text("/a")), first);
    assert.notEqual(readOperations({}, text("/b")), first);
    const [operation] = first.kind === "document" ? first.operations : [];
    assert.equal(operation?.read(), operation?.read());
  });
});

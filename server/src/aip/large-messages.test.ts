import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { readLargeMessage, writeLargeMessage } from "./large-messages.ts";
import { setUnknownFields } from "./unknown-fields.ts";

function version(count: number) {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const message = create(AppVersionSchema, {
    name: "apps/a/versions/b",
    displayName: "B",
    createTime: { seconds: 5n, nanos: 6 },
    snapshot: {
      app: {
        displayName: "A",
        metadata: { owner: "mia" },
        variableDeclarations: numbers.map((at) => ({ name: `v${at}` })),
      },
      agents: numbers.map((at) => ({ name: `agents/${at}`, instruction: "x".repeat(at), tools: ["a"] })),
      tools: numbers.map((at) => ({
        name: `tools/${at}`,
        toolType: {
          case: "clientFunction" as const,
          value: { name: `t${at}`, parameters: { properties: { a: { title: "A" } } } },
        },
      })),
    },
  });
  if (message.snapshot) setUnknownFields(message.snapshot, [{ key: "new", json: "1", after: 0 }]);
  return message;
}

describe("a large message", () => {
  for (const count of [0, 1, 60, 2_000]) {
    it(`is read and written as it is in one piece, with ${count} elements`, async () => {
      const message = version(count);
      const bytes = toBinary(AppVersionSchema, message);
      assert.deepEqual(await readLargeMessage(AppVersionSchema, bytes), fromBinary(AppVersionSchema, bytes));
      const written = await writeLargeMessage(AppVersionSchema, message);
      assert.deepEqual(fromBinary(AppVersionSchema, written), fromBinary(AppVersionSchema, bytes));
      assert.deepEqual(toBinary(AppVersionSchema, message), bytes);
    });
  }
});

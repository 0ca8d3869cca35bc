import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { MessageSchema } from "@frontdesk/protos/ces/example";
import { PastCallIds } from "./past-call-ids.ts";

const turnWith = (...ids: readonly string[]) => ({
  messages: [
    create(MessageSchema, { chunks: ids.map((id) => ({ data: { case: "toolCall" as const, value: { id } } })) }),
  ],
});

describe("the ids of a session's past calls (TOOL-51)", () => {
  it("are read once a turn, however long the session is", () => {
    const turns = Array.from({ length: 2_000 }, (_, at) => turnWith(`a-${at}`, `b-${at}`));
    const read: number[] = [];
    const list = {
      get length() {
        return turns.length;
      },
      at: (index: number) => {
        read.push(index);
        return turns[index];
      },
    };
    const past = new PastCallIds();
    assert.deepEqual(
      ["a-0", "b-1999", "a-2000"].map((id) => past.of(list).has(id)),
      [true, true, false],
    );
    turns.push(turnWith("a-2000"));
    assert.ok(past.of(list).has("a-2000"));
    assert.deepEqual(
      read,
      turns.map((_, at) => at),
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConversationHead, Storage } from "#storage";
import { head, isAborted, turn } from "./rows.ts";

/** The contract of the turns of a conversation. */
export function conversationTurns(use: () => Storage): void {
  describe("the turns of conversations", () => {
    const store = () => use().conversations;

    it("returns head and turns with all fields", async () => {
      const first = head("apps/talk", "whole", 1);
      const second = {
        ...first,
        endTime: 2_000.5,
        turnCount: 2,
        inputTypes: [1, 3],
        state: '{"a":"ß"}',
        languageCode: "de",
      };
      await store().appendTurn(first, turn(1));
      await store().appendTurn(second, turn(2));
      assert.deepEqual(await store().getHead(first.name), second);
      assert.deepEqual(await store().getTurns(first.name), [turn(1), turn(2)]);
      assert.deepEqual(await store().getTurn(first.name, 2), turn(2));
      assert.equal(await store().getTurn(first.name, 3), undefined);
    });

    it("returns the turns of many conversations that exist and are not hidden", async () => {
      const [many, hidden] = [
        head("apps/talk", "many", 1),
        { ...head("apps/talk", "hidden", 1), hidden: true as const },
      ];
      await store().appendTurn(many, turn(1));
      await store().appendTurn({ ...many, turnCount: 2 }, turn(2));
      await store().appendTurn(hidden, turn(1));
      const others = Array.from({ length: 600 }, (_, at) => head("apps/talk", `none-${at}`, 1).name);
      const found = await store().getTurnsOfMany([hidden.name, ...others, many.name]);
      assert.deepEqual([...found], [[many.name, [turn(1).body, turn(2).body]]]);
    });

    it("rejects a turn that is not the next one with ABORTED, and stores nothing of it", async () => {
      const first = head("apps/talk", "conflict", 1);
      await store().appendTurn(first, turn(1));
      for (const index of [1, 3]) {
        await assert.rejects(
          store().appendTurn({ ...first, state: "changed", turnCount: index }, turn(index)),
          isAborted,
        );
      }
      await assert.rejects(store().appendTurn(head("apps/talk", "unknown", 2), turn(2)), isAborted);
      assert.deepEqual(await store().getHead(first.name), first);
      assert.deepEqual(await store().getTurns(first.name), [turn(1)]);
    });

    it("returns the head of the last turn when several were appended at once", async () => {
      const heads = [1, 2, 3].map((count) => ({ ...head("apps/talk", "at-once", count), state: `state ${count}` }));
      await Promise.all(heads.map((one) => store().appendTurn(one, turn(one.turnCount))));
      assert.deepEqual(await store().getHead(heads[0]?.name ?? ""), heads[2]);
    });

    it("keeps app and start time of the first turn, and all other fields of the last", async () => {
      const first = head("apps/talk", "moved", 1);
      await store().appendTurn(first, turn(1));
      await store().appendTurn({ ...first, app: "another", startTime: 7, state: "new", turnCount: 99 }, turn(2));
      assert.deepEqual(await store().getHead(first.name), { ...first, state: "new", turnCount: 2 });
    });

    it("returns no head of a conversation that is deleted while its next turn is being stored", async () => {
      const [removed, cleared] = ["removed", "cleared"].map((id) => head(`apps/${id}`, "c", 1));
      assert.ok(removed && cleared);
      await Promise.all([removed, cleared].map((first) => store().appendTurn(first, turn(1))));
      const appends = [removed, cleared].map((first) => store().appendTurn({ ...first, turnCount: 2 }, turn(2)));
      await Promise.all([
        // Where writes have no common order the deletion may come first, and the turn is then refused.
        ...appends.map((append) => append.catch((error: unknown) => assert.ok(isAborted(error)))),
        store().remove([removed.name]),
        use().resources.write([{ kind: "delete-tree", prefix: cleared.app }]),
      ]);
      const left = await Promise.all([removed, cleared].map(({ name }) => store().getHead(name)));
      assert.deepEqual(left, [undefined, undefined]);
    });

    it("fails only the rejected turn of many that are stored together", async () => {
      const heads = Array.from({ length: 40 }, (_, at) => head("apps/together", `c${at}`, 1));
      const wrong = heads[7] as ConversationHead;
      const outcomes = await Promise.allSettled(
        heads.map((one) => store().appendTurn(one, turn(one === wrong ? 5 : 1))),
      );
      assert.deepEqual(
        outcomes.flatMap((outcome, at) => (outcome.status === "rejected" ? [at] : [])),
        [7],
      );
      const stored = await Promise.all(heads.map((one) => store().getHead(one.name)));
      assert.deepEqual(
        stored,
        heads.map((one) => (one === wrong ? undefined : one)),
      );
    });

    it("stores one of two turns with the same number", async () => {
      const first = head("apps/talk", "race", 1);
      const outcomes = await Promise.allSettled([turn(1), turn(1)].map((one) => store().appendTurn(first, one)));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected"],
      );
    });
  });
}

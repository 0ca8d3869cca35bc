import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedFields } from "#base";
import type { ConversationCondition, ConversationHead, ConversationQuery, Storage } from "#storage";
import { allPages, head, LOCATION, turn } from "./rows.ts";

const WORDS: ConversationCondition = { kind: "search", words: "words" };

/** The contract of lists, searches and removal of conversations. */
export function conversationLists(use: () => Storage): void {
  describe("lists and removal of conversations", () => {
    const store = () => use().conversations;
    const listedHeads = async (query: Pick<ConversationQuery, "app" | "where">) =>
      (await store().list({ sources: [], limit: 5, ...query })).rows.map(({ head }) => head);

    it("lists the newest first, page by page, by source and time", async () => {
      for (const [at, startTime] of [10, 30, 20, 30].entries()) {
        await store().appendTurn({ ...head("apps/listed", `c${at}`, 1), startTime, source: at % 2 }, turn(1));
      }
      const app = `${LOCATION}/apps/listed`;
      const ids = (query: Pick<Partial<ConversationQuery>, "sources" | "where">) =>
        allPages((after) => store().list({ app, sources: [], limit: 2, ...query, ...definedFields({ after }) })).then(
          (all) => all.map(({ head: { name } }) => name.at(-1)).join(""),
        );
      assert.deepEqual(
        [
          await ids({}),
          await ids({ sources: [1] }),
          await ids({ sources: [0, 1], where: { kind: "time", column: "start_time", from: 20 } }),
          await ids({ where: { kind: "time", column: "start_time", to: 20 } }),
        ],
        ["3120", "31", "312", "20"],
      );
    });

    it("finds conversations by words of any of their turns, the latest included", async () => {
      const app = `${LOCATION}/apps/searched`;
      await store().appendTurn(head("apps/searched", "c1", 1), turn(1, "I want a REFUND for the lamp"));
      await store().appendTurn(head("apps/searched", "c1", 2), turn(2, 'Order "A-42", Straße 7, café'));
      await store().appendTurn(head("apps/searched", "c2", 1), turn(1, "the lamp is fine"));
      await store().appendTurn(head("apps/elsewhere", "c3", 1), turn(1, "refund the lamp"));
      const find = async (words: string) =>
        (await store().list({ app, sources: [], limit: 10, where: { kind: "search", words } })).rows
          .map(({ head: { name } }) => name.slice(-2))
          .sort();
      assert.deepEqual(await find("lamp"), ["c1", "c2"]);
      assert.deepEqual(await find("refund order"), ["c1"]);
      assert.deepEqual(await find("refu"), ["c1"]);
      assert.deepEqual(await find("cafe a-42"), ["c1"]);
      assert.deepEqual(await find('NOT "lamp* OR ('), []);
      assert.deepEqual(await find('"lamp" (fine'), ["c2"]);
      assert.deepEqual(await find("?!"), []);
      assert.deepEqual(await find("  "), []);
      const listed = await store().list({
        app,
        sources: [],
        limit: 10,
        searches: ["refund", "lamp", "refund fine"].map((words) => ({ words })),
      });
      assert.deepEqual(
        listed.rows.map(({ head: { name }, found }) => [name.slice(-2), ...found]),
        [
          ["c2", false, true, false],
          ["c1", true, true, false],
        ],
      );
    });

    it("finds conversations by a text as it is in one turn", async () => {
      const app = `${LOCATION}/apps/exact`;
      await store().appendTurn(head("apps/exact", "c1", 1), turn(1, "Mail Jane@Example.com, Straße 7_%"));
      await store().appendTurn(head("apps/exact", "c2", 1), turn(1, "jane, not example.com"));
      await store().appendTurn(head("apps/exact", "c3", 1), turn(1, "jane@"));
      await store().appendTurn(head("apps/exact", "c3", 2), turn(2, "example.com, strasse 7"));
      const exact = (words: string) => ({ kind: "search", words, isExact: true }) as const;
      const find = async (where: ConversationCondition) =>
        (await store().list({ app, sources: [], limit: 10, where })).rows
          .map(({ head: { name } }) => name.slice(-2))
          .sort();
      assert.deepEqual(await find({ kind: "search", words: "jane@example.com" }), ["c1", "c2", "c3"]);
      assert.deepEqual(await find(exact("jane@example.COM")), ["c1"]);
      assert.deepEqual(await find({ kind: "not", operand: exact("jane@example.com") }), ["c2", "c3"]);
      assert.deepEqual(await find(exact("Straße 7_%")), ["c1"]);
      for (const other of ["Straße 7%", "STRASSE 7_", "@"]) assert.deepEqual(await find(exact(other)), [], other);
      const { rows } = await store().list({ app, sources: [], limit: 10, searches: [exact("jane@example.com")] });
      const found = rows.map(({ head: { name }, found }) => [name.slice(-2), ...found]).sort();
      assert.deepEqual(found, [
        ["c1", true],
        ["c2", false],
        ["c3", false],
      ]);
    });

    it("finds conversations by words that few have, and by those that most have", async () => {
      const app = `${LOCATION}/apps/frequent`;
      const said = (at: number) => `common ${at % 300 === 7 ? "seldom" : ""} ${at === 4 ? "once" : ""}`;
      const heads = Array.from({ length: 600 }, (_, at) => ({ ...head("apps/frequent", `c${at}`, 1), startTime: at }));
      await Promise.all(heads.map((each, at) => store().appendTurn(each, turn(1, said(at)))));
      const find = async (where: ConversationCondition) =>
        (await store().list({ app, sources: [], limit: 3, where })).rows.map(({ head: { startTime } }) => startTime);
      const search = (words: string) => ({ kind: "search", words }) as const;
      const either = (...operands: ConversationCondition[]) => ({ kind: "or", operands }) as const;
      assert.deepEqual(await find(search("common")), [599, 598, 597]);
      assert.deepEqual(await find(search("seldom")), [307, 7]);
      assert.deepEqual(await find(search("common once")), [4]);
      assert.deepEqual(await find(search("once seldom")), []);
      assert.deepEqual(await find(search("common nowhere")), []);
      assert.deepEqual(await find(either(search("once"), search("seldom"))), [307, 7, 4]);
      assert.deepEqual(await find({ kind: "not", operand: search("common") }), []);
      assert.deepEqual(await find({ kind: "not", operand: search("nowhere") }), [599, 598, 597]);
    });

    it("finds conversations by the columns of their heads", async () => {
      const heads = [1, 2, 3].map((at) => ({
        ...head("apps/columns", `c${at}`, 1),
        startTime: at,
        languageCode: at === 2 ? "de" : "en",
        source: at,
      }));
      for (const each of heads) await store().appendTurn(each, turn(1));
      const app = `${LOCATION}/apps/columns`;
      const find = async (condition: Omit<Extract<ConversationCondition, { kind: "column" }>, "kind">) =>
        (await listedHeads({ app, where: { kind: "column", ...condition } })).map(({ name }) => name.slice(-2));
      assert.deepEqual(await find({ column: "language_code", comparator: "=", value: "en" }), ["c3", "c1"]);
      assert.deepEqual(await find({ column: "language_code", comparator: "=", value: "EN" }), []);
      assert.deepEqual(await find({ column: "source", comparator: ">=", value: 2 }), ["c3", "c2"]);
      assert.deepEqual(await find({ column: "turn_count", comparator: "<", value: 1 }), []);
    });

    it("removes conversations with their turns and returns the names of those that existed", async () => {
      const kept = head("apps/removed", "kept", 1);
      const gone = head("apps/removed", "gone", 1);
      await store().appendTurn(kept, turn(1, "same words"));
      await store().appendTurn(gone, turn(1, "same words"));
      await store().list({ app: kept.app, sources: [], limit: 1, where: WORDS });
      assert.deepEqual(await store().remove([gone.name, `${gone.name}x`]), [gone.name]);
      assert.deepEqual([await store().getHead(gone.name), await store().getTurns(gone.name)], [undefined, []]);
      assert.deepEqual(await listedHeads({ app: kept.app, where: WORDS }), [kept]);
      await store().appendTurn(gone, turn(1, "other text"));
      assert.deepEqual(await listedHeads({ app: kept.app, where: WORDS }), [kept]);
      assert.deepEqual(await store().getTurns(gone.name), [turn(1, "other text")]);
    });

    it("leaves hidden conversations out of lists and searches, and reads them by name", async () => {
      const shown = head("apps/hidden", "shown", 1);
      const hidden: ConversationHead = { ...head("apps/hidden", "hidden", 1), hidden: true };
      await store().appendTurn(shown, turn(1, "same words"));
      await store().appendTurn(hidden, turn(1, "same words"));
      const found = await Promise.all(
        [undefined, WORDS].map((where) => listedHeads({ app: shown.app, ...definedFields({ where }) })),
      );
      assert.deepEqual(found, [[shown], [shown]]);
      assert.deepEqual(await store().getHead(hidden.name), hidden);
    });

    it("names the conversations of an app that ended before a time, and removes only those that still did", async () => {
      for (const [id, startTime, endTime] of [
        ["late", 10, 90],
        ["second", 20, 30],
        ["first", 15, 49],
        ["at", 5, 50],
      ] as const) {
        await store().appendTurn({ ...head("apps/ended", id, 1), startTime, endTime }, turn(1));
      }
      await store().appendTurn({ ...head("apps/ended2", "other", 1), startTime: 1, endTime: 2 }, turn(1));
      const app = `${LOCATION}/apps/ended`;
      const named = (...ids: readonly string[]) => ids.map((id) => `${app}/conversations/${id}`);
      assert.deepEqual(await store().endedBefore(app, 50, 10), named("first", "second"));
      assert.deepEqual(await store().endedBefore(app, 50, 1), named("first"));
      assert.deepEqual(await store().remove(named("first", "late"), 50), named("first"));
      assert.deepEqual(await store().endedBefore(app, 100, 10), named("at", "late", "second"));
    });

    it("returns due conversations, the earliest first, until they are settled or a turn follows", async () => {
      const early: ConversationHead = { ...head("apps/due", "early", 1), dueTime: -20 };
      const late: ConversationHead = { ...head("apps/due", "late", 1), dueTime: -10 };
      await store().appendTurn(late, turn(1));
      await store().appendTurn(early, turn(1));
      await store().appendTurn(head("apps/due", "never", 1), turn(1));
      assert.deepEqual(await store().due(-15, 10), [early]);
      assert.deepEqual(await store().due(-10, 10), [early, late]);
      assert.deepEqual(await store().due(-10, 1), [early]);
      const outcomes = [await store().settle(early.name, 1, "settled"), await store().settle(late.name, 2, "settled")];
      assert.deepEqual(outcomes, [true, false]);
      assert.deepEqual(await store().getHead(early.name), { ...head("apps/due", "early", 1), state: "settled" });
      await store().appendTurn(head("apps/due", "late", 2), turn(2));
      assert.deepEqual(await store().due(-10, 10), []);
    });
  });
}

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import type { ConversationHead, OperationRow, ResourceRow, Storage, TurnRow } from "./contract.ts";
import { StaleEtagError } from "./stale-etag-error.ts";

const LOCATION = "projects/p/locations/l";

/**
 * What every dialect promises, as tests: `open` gives an empty storage, closed by the suite. A new dialect calls this from its own
 * test file.
 */
export function storageContract(dialect: string, open: () => Promise<Storage>): void {
  describe(`storage on ${dialect}`, () => {
    let storage: Storage;
    before(async () => {
      storage = await open();
    });
    after(() => storage.close());

    resourceContract(() => storage);
    conversationContract(() => storage);
    operationContract(() => storage);
    blobContract(() => storage);

    it("says that it takes writes", () => storage.check());
  });
}

function resourceContract(use: () => Storage): void {
  describe("resources", () => {
    const store = () => use().resources;

    it("gives back what was put, whole", async () => {
      const row = resource("apps/whole", {
        displayName: "Ünï \u{1F600} 'quoted'",
        createTime: 1_754_000_000_123.25,
        body: bytes(300_000),
      });
      await store().write([{ kind: "put", row }]);
      assert.deepEqual(await store().get(row.name), row);
    });

    it("answers undefined for what was never put", async () => {
      assert.equal(await store().get(`${LOCATION}/apps/nowhere`), undefined);
    });

    it("keeps bytes that are a view of a larger buffer", async () => {
      const row = resource("apps/view", { body: bytes(4096).subarray(100, 110) });
      await store().write([{ kind: "put", row }]);
      assert.deepEqual((await store().get(row.name))?.body, new Uint8Array(row.body));
    });

    it("calls a value that it cannot store a defect, and goes on", async () => {
      const wrong = { ...resource("apps/defect"), displayName: undefined as unknown as string };
      const isInternal = (error: unknown) => error instanceof ConnectError && error.code === Code.Internal;
      await assert.rejects(store().write([{ kind: "put", row: wrong }]), isInternal);
      await store().write([]);
      await store().write([{ kind: "put", row: resource("apps/defect") }]);
    });

    it("gets many by name and leaves out what is not there", async () => {
      const rows = Array.from({ length: 1_203 }, (_, at) => resource(`apps/many/agents/${at}`));
      await store().write(rows.map((row) => ({ kind: "put", row })));
      const found = await store().getMany([...rows.map((row) => row.name), `${LOCATION}/apps/many/agents/none`]);
      assert.deepEqual([...found.keys()].sort(), rows.map((row) => row.name).sort());
      assert.deepEqual(found.get(rows[1202]?.name ?? ""), rows[1202]);
    });

    it("replaces a row when no etag is asked for", async () => {
      const row = resource("apps/replace");
      await store().write([{ kind: "put", row }]);
      const next = { ...row, displayName: "second", etag: "2" };
      await store().write([{ kind: "put", row: next }]);
      assert.deepEqual(await store().get(row.name), next);
    });

    it("refuses a stale etag, names the row, and stores nothing of the write", async () => {
      const row = resource("apps/stale");
      const other = resource("apps/stale/agents/other");
      await store().write([{ kind: "put", row }]);
      await assert.rejects(
        store().write([
          { kind: "put", row: other },
          { kind: "put", row: { ...row, etag: "3" }, ifEtag: "2" },
        ]),
        (error) => error instanceof StaleEtagError && error.resource === row.name,
      );
      assert.deepEqual([await store().get(row.name), await store().get(other.name)], [row, undefined]);
    });

    it("creates only once when the row must not exist", async () => {
      const row = resource("apps/create");
      await store().write([{ kind: "put", row, ifEtag: "" }]);
      await assert.rejects(store().write([{ kind: "put", row: { ...row, etag: "2" }, ifEtag: "" }]), StaleEtagError);
      assert.deepEqual(await store().get(row.name), row);
    });

    it("lets one of two writers with the same etag through", async () => {
      const row = resource("apps/race");
      await store().write([{ kind: "put", row }]);
      const attempts = ["a", "b"].map((etag) =>
        store().write([{ kind: "put", row: { ...row, etag }, ifEtag: row.etag }]),
      );
      const outcomes = await Promise.allSettled(attempts);
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    });

    it("deletes under the etag's condition", async () => {
      const row = resource("apps/delete");
      await store().write([{ kind: "put", row }]);
      await assert.rejects(store().write([{ kind: "delete", name: row.name, ifEtag: "other" }]), StaleEtagError);
      await assert.rejects(store().write([{ kind: "delete", name: row.name, ifEtag: "" }]), StaleEtagError);
      assert.deepEqual(await store().get(row.name), row);
      await store().write([{ kind: "delete", name: row.name, ifEtag: row.etag }]);
      assert.equal(await store().get(row.name), undefined);
      await store().write([{ kind: "delete", name: row.name }]);
    });

    it("lists the children of a parent by type, in either order, page by page", async () => {
      const times = [5, 3, 3, 9, 1];
      const rows = times.map((createTime, at) =>
        resource(`apps/pages/agents/${at}`, { createTime, updateTime: -createTime }),
      );
      await store().write(
        [...rows, resource("apps/pages/tools/t"), resource("apps/pages2/agents/x")].map((row) => ({
          kind: "put",
          row,
        })),
      );
      const ids = (orderBy: "name" | "create_time" | "update_time", descending: boolean) =>
        allPages((after) =>
          store().list({
            type: "Agent",
            parent: `${LOCATION}/apps/pages`,
            orderBy,
            descending,
            limit: 2,
            ...(after && { after }),
          }),
        ).then((all) => all.map((row) => row.name.at(-1)).join(""));
      assert.deepEqual(
        [
          await ids("name", false),
          await ids("name", true),
          await ids("create_time", false),
          await ids("create_time", true),
          await ids("update_time", false),
        ],
        ["01234", "43210", "41203", "30214", "30124"],
      );
    });

    it("takes `-` in a parent for any one segment", async () => {
      const rows = [
        "apps/wild-a/agents/1",
        "apps/wild-b/agents/2",
        "apps/wild-b/agents/2/parts/3",
        "apps/Wild*/agents/4",
      ].map((path) => resource(path));
      await store().write(rows.map((row) => ({ kind: "put", row: { ...row, type: "Wild" } })));
      const list = async (parent: string) =>
        (await store().list({ type: "Wild", parent, orderBy: "name", descending: false, limit: 10 })).rows.map((row) =>
          row.name.slice(LOCATION.length + 1),
        );
      assert.deepEqual(await list(`${LOCATION}/apps/-`), [
        "apps/Wild*/agents/4",
        "apps/wild-a/agents/1",
        "apps/wild-b/agents/2",
      ]);
      assert.deepEqual(await list("projects/-/locations/-/apps/wild-b"), ["apps/wild-b/agents/2"]);
      assert.deepEqual(await list("projects/-/locations/l/apps/wild*"), []);
      assert.deepEqual(await list("projects/-/locations/l/apps/Wild*"), ["apps/Wild*/agents/4"]);
    });

    it("gives all children of some types for a snapshot", async () => {
      const rows = ["agents/b", "agents/a", "tools/t", "examples/e"].map((path) => resource(`apps/children/${path}`));
      await store().write(rows.map((row) => ({ kind: "put", row })));
      const children = await store().children(`${LOCATION}/apps/children`, ["Tool", "Agent"]);
      assert.deepEqual(children, [rows[1], rows[0], rows[2]]);
      assert.deepEqual(await store().children(`${LOCATION}/apps/children`, []), []);
    });

    it("deletes a tree with its conversations, and no neighbour", async () => {
      const mine = ["apps/tree", "apps/tree/agents/a", "apps/tree/agents/a/x/y"].map((path) => resource(path));
      const other = ["apps/tree2", "apps/tre", "apps/tree-x/agents/a"].map((path) => resource(path));
      await store().write([...mine, ...other].map((row) => ({ kind: "put", row })));
      await use().conversations.appendTurn(head("apps/tree", "c", 1), turn(1));
      await use().conversations.appendTurn(head("apps/tree2", "c", 1), turn(1));
      await store().write([{ kind: "delete-tree", prefix: `${LOCATION}/apps/tree` }]);
      const left = await store().getMany([...mine, ...other].map((row) => row.name));
      assert.deepEqual([...left.keys()].sort(), other.map((row) => row.name).sort());
      assert.equal(await use().conversations.getHead(`${LOCATION}/apps/tree/conversations/c`), undefined);
      assert.deepEqual(await use().conversations.getTurns(`${LOCATION}/apps/tree/conversations/c`), []);
      assert.equal((await use().conversations.getTurns(`${LOCATION}/apps/tree2/conversations/c`)).length, 1);
    });

    it("counts generations of a name with every write at or below it", async () => {
      const app = `${LOCATION}/apps/generation`;
      const agent = resource("apps/generation/agents/a");
      assert.equal(store().generation(app), 0);
      await store().write([{ kind: "put", row: agent }]);
      const afterPut = store().generation(app);
      assert.ok(afterPut > 0);
      assert.equal(store().generation(`${LOCATION}/apps/generation2`), 0);
      await store().write([{ kind: "put", row: resource("apps/generation2") }]);
      assert.equal(store().generation(app), afterPut);
      await store().write([{ kind: "delete-tree", prefix: app }]);
      assert.ok(store().generation(app) > afterPut);
      assert.ok(store().generation(agent.name) > afterPut);
    });
  });
}

function conversationContract(use: () => Storage): void {
  describe("conversations", () => {
    const store = () => use().conversations;

    it("gives back head and turns, whole", async () => {
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
      assert.deepEqual(await store().getTurns(first.name, 2), [turn(2)]);
    });

    it("refuses a turn that is not the next one with ABORTED, and stores nothing of it", async () => {
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

    it("tells the head of the last turn when several were asked for at once", async () => {
      const heads = [1, 2, 3].map((count) => ({ ...head("apps/talk", "at-once", count), state: `state ${count}` }));
      await Promise.all(heads.map((one) => store().appendTurn(one, turn(one.turnCount))));
      assert.deepEqual(await store().getHead(heads[0]?.name ?? ""), heads[2]);
    });

    it("keeps app and start of the first turn, and takes all else from the last", async () => {
      const first = head("apps/talk", "moved", 1);
      await store().appendTurn(first, turn(1));
      await store().appendTurn({ ...first, app: "another", startTime: 7, state: "new", turnCount: 99 }, turn(2));
      assert.deepEqual(await store().getHead(first.name), { ...first, state: "new", turnCount: 2 });
    });

    it("knows no head of a conversation that goes while its next turn is being stored", async () => {
      const [removed, cleared] = ["removed", "cleared"].map((id) => head(`apps/${id}`, "c", 1));
      assert.ok(removed && cleared);
      await Promise.all([removed, cleared].map((first) => store().appendTurn(first, turn(1))));
      await Promise.all([
        ...[removed, cleared].map((first) => store().appendTurn({ ...first, turnCount: 2 }, turn(2))),
        store().remove([removed.name]),
        use().resources.write([{ kind: "delete-tree", prefix: cleared.app }]),
      ]);
      const left = await Promise.all([removed, cleared].map(({ name }) => store().getHead(name)));
      assert.deepEqual(left, [undefined, undefined]);
    });

    it("lets a refused turn fail alone among many that are stored together", async () => {
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

    it("lets one of two turns with the same number through", async () => {
      const first = head("apps/talk", "race", 1);
      const outcomes = await Promise.allSettled([turn(1), turn(1)].map((one) => store().appendTurn(first, one)));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected"],
      );
    });

    it("lists the newest first, page by page, by source and time", async () => {
      for (const [at, startTime] of [10, 30, 20, 30].entries()) {
        await store().appendTurn({ ...head("apps/listed", `c${at}`, 1), startTime, source: at % 2 }, turn(1));
      }
      const app = `${LOCATION}/apps/listed`;
      const ids = (query: { sources?: number[]; startAfter?: number; startBefore?: number }) =>
        allPages((after) => store().list({ app, sources: [], limit: 2, ...query, ...(after && { after }) })).then(
          (all) => all.map((one) => one.name.at(-1)).join(""),
        );
      assert.deepEqual(
        [
          await ids({}),
          await ids({ sources: [1] }),
          await ids({ sources: [0, 1], startAfter: 20 }),
          await ids({ startBefore: 20 }),
        ],
        ["3120", "31", "312", "20"],
      );
    });

    it("finds conversations by words of any of their turns, just stored ones included", async () => {
      const app = `${LOCATION}/apps/searched`;
      await store().appendTurn(head("apps/searched", "c1", 1), turn(1, "I want a REFUND for the lamp"));
      await store().appendTurn(head("apps/searched", "c1", 2), turn(2, 'Order "A-42", Straße 7, café'));
      await store().appendTurn(head("apps/searched", "c2", 1), turn(1, "the lamp is fine"));
      await store().appendTurn(head("apps/elsewhere", "c3", 1), turn(1, "refund the lamp"));
      const find = async (search: string) =>
        (await store().list({ app, sources: [], limit: 10, search })).rows.map((row) => row.name.slice(-2)).sort();
      assert.deepEqual(await find("lamp"), ["c1", "c2"]);
      assert.deepEqual(await find("refund order"), ["c1"]);
      assert.deepEqual(await find("refu"), ["c1"]);
      assert.deepEqual(await find("cafe a-42"), ["c1"]);
      assert.deepEqual(await find('NOT "lamp* OR ('), []);
      assert.deepEqual(await find('"lamp" (fine'), ["c2"]);
      assert.deepEqual(await find("?!"), []);
      assert.deepEqual(await find("  "), ["c1", "c2"]);
    });

    it("removes conversations with their turns and says which there were", async () => {
      const kept = head("apps/removed", "kept", 1);
      const gone = head("apps/removed", "gone", 1);
      await store().appendTurn(kept, turn(1, "same words"));
      await store().appendTurn(gone, turn(1, "same words"));
      await store().list({ app: kept.app, sources: [], limit: 1, search: "words" });
      assert.deepEqual(await store().remove([gone.name, `${gone.name}x`]), [gone.name]);
      assert.deepEqual([await store().getHead(gone.name), await store().getTurns(gone.name)], [undefined, []]);
      assert.deepEqual((await store().list({ app: kept.app, sources: [], limit: 5, search: "words" })).rows, [kept]);
      await store().appendTurn(gone, turn(1, "other text"));
      assert.deepEqual((await store().list({ app: kept.app, sources: [], limit: 5, search: "words" })).rows, [kept]);
      assert.deepEqual(await store().getTurns(gone.name), [turn(1, "other text")]);
    });

    it("keeps hidden conversations out of lists and searches, and reads them by name", async () => {
      const shown = head("apps/hidden", "shown", 1);
      const hidden: ConversationHead = { ...head("apps/hidden", "hidden", 1), hidden: true };
      await store().appendTurn(shown, turn(1, "same words"));
      await store().appendTurn(hidden, turn(1, "same words"));
      const found = await Promise.all(
        ["", "words"].map((search) => store().list({ app: shown.app, sources: [], limit: 5, search })),
      );
      assert.deepEqual(
        found.map(({ rows }) => rows),
        [[shown], [shown]],
      );
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

    it("hands out what is due, the earliest first, until it is settled or a turn follows", async () => {
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

function operationContract(use: () => Storage): void {
  describe("operations", () => {
    const store = () => use().operations;

    it("gives back what was put, and replaces it", async () => {
      const row = operation("a", { metadata: bytes(20) });
      await store().put(row);
      assert.deepEqual(await store().get(row.name), row);
      const done = { ...row, done: true, response: bytes(10) };
      await store().put(done);
      assert.deepEqual(await store().get(row.name), done);
    });

    it("lists those of a parent by name, page by page", async () => {
      const parent = `${LOCATION}-listed`;
      const rows = ["c", "a", "b"].map((id) => ({ ...operation(id), parent, name: `${parent}/operations/${id}` }));
      for (const row of rows) await store().put(row);
      const first = await store().list(parent, 2);
      assert.deepEqual([first.rows.map((row) => row.name.at(-1)), first.last?.[1]], [["a", "b"], rows[2]?.name]);
      assert.deepEqual(await store().list(parent, 2, first.last?.[1]), { rows: [rows[0]] });
    });

    it("finds the unfinished, oldest first", async () => {
      const rows = [
        operation("u1", { createTime: 9 }),
        operation("u2", { createTime: 4 }),
        operation("u3", { done: true }),
      ];
      for (const row of rows) await store().put(row);
      const unfinished = (await store().unfinished()).filter((row) => rows.some((one) => one.name === row.name));
      assert.deepEqual(unfinished, [rows[1], rows[0]]);
    });

    it("removes one and says whether it was there", async () => {
      const row = operation("gone");
      await store().put(row);
      assert.deepEqual(
        [await store().remove(row.name), await store().remove(row.name), await store().get(row.name)],
        [true, false, undefined],
      );
    });
  });
}

function blobContract(use: () => Storage): void {
  describe("blobs", () => {
    const store = () => use().blobs;

    it("gives back bytes by any key, replaces and removes them", async () => {
      const key = "../../apps/a: ünï";
      assert.equal(await store().get(key), undefined);
      await store().put(key, bytes(100_000));
      assert.deepEqual(await store().get(key), bytes(100_000));
      await store().put(key, bytes(3));
      assert.deepEqual(await store().get(key), bytes(3));
      await store().remove(key);
      await store().remove(key);
      assert.equal(await store().get(key), undefined);
    });

    it("refuses a blob beyond the limit with RESOURCE_EXHAUSTED", async () => {
      const refusal = (error: unknown) => error instanceof ConnectError && error.code === Code.ResourceExhausted;
      await assert.rejects(store().put("large", new Uint8Array(64 * 1024 * 1024 + 1)), refusal);
      assert.equal(await store().get("large"), undefined);
    });
  });
}

function resource(path: string, fields: Partial<ResourceRow> = {}): ResourceRow {
  const segments = path.split("/");
  const collection = segments.at(-2) ?? "";
  return {
    name: `${LOCATION}/${path}`,
    type: collection.charAt(0).toUpperCase() + collection.slice(1, -1),
    parent: [LOCATION, ...segments.slice(0, -2)].join("/"),
    displayName: path,
    createTime: 1,
    updateTime: 2,
    etag: "1",
    body: bytes(10),
    ...fields,
  };
}

function head(app: string, id: string, turnCount: number): ConversationHead {
  return {
    name: `${LOCATION}/${app}/conversations/${id}`,
    app: `${LOCATION}/${app}`,
    startTime: 1_000.5,
    endTime: 1_001,
    turnCount,
    source: 1,
    inputTypes: [1],
    entryAgent: "agent",
    deployment: "deployment",
    appVersion: "version",
    languageCode: "en",
    state: '{"variables":{}}',
  };
}

function turn(index: number, text = "hello"): TurnRow {
  return { index, body: bytes(1_000 + index), extra: `{"turn":${index}}`, text };
}

function operation(id: string, fields: Partial<OperationRow> = {}): OperationRow {
  const none = new Uint8Array();
  const name = `${LOCATION}/operations/${id}`;
  return {
    name,
    parent: LOCATION,
    done: false,
    createTime: 1,
    kind: "Test",
    metadata: none,
    response: none,
    error: none,
    ...fields,
  };
}

function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256);
}

function isAborted(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Aborted;
}

type Position = readonly [string | number, string];

async function allPages<T>(
  list: (after?: Position) => Promise<{ rows: readonly T[]; last?: Position }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let after: Position | undefined;
  do {
    const page = await list(after);
    found.push(...page.rows);
    after = page.last;
  } while (after);
  return found;
}

import assert from "node:assert/strict";
import { it } from "node:test";
import type { QueryError, SqlSource } from "../../contract.ts";
import { LIMITS } from "./open-tables.ts";

/** What a test tells of an engine, in the engine's own words. */
interface EngineContract {
  readonly source: () => SqlSource;
  /** Statements that would write, read other tables or files, or call the server. */
  readonly refused: readonly string[];
  /** How many calls the server got, where it is a fake. */
  readonly calls?: () => number;
  /** A statement, and its columns as `name type`. */
  readonly columns: readonly [sql: string, columns: readonly string[]];
  readonly plan: readonly [sql: string, plan: RegExp];
  /** Statements that fail, by the kind of the error. */
  readonly errors: readonly (readonly [sql: string, kind: QueryError["kind"]])[];
  readonly endless: EndlessStatement;
}

interface EndlessStatement {
  readonly sql: string;
  /** Called before it is sent. */
  watch(): {
    readonly isRunning: () => boolean | Promise<boolean>;
    readonly assertEnded: () => void | Promise<void>;
  };
}

const { signal } = new AbortController();

/** What each engine behind a wire does, whatever the wire is. */
export function keepsTheContract({ source, refused, calls, columns, plan, errors, endless }: EngineContract): void {
  const run = (sql: string, limits = {}, until = signal) =>
    source().query({ sql, limits: { ...LIMITS, ...limits }, signal: until });

  it(`refuses statements that would do more than read its tables (${refused.length} tried), before the server (CA-42)`, async () => {
    // What is checked against is read once.
    await source().check("SELECT", [], signal);
    const sent = calls?.();
    for (const sql of refused) {
      assert.notEqual((await source().check(sql, [], signal)).kind, "accepted", sql);
      await assert.rejects(run(sql), { kind: /^(rejected|invalid)$/ }, sql);
    }
    assert.equal(calls?.(), sent);
  });

  it("tells columns and the plan without running a statement", async () => {
    const check = await source().check(columns[0], [], signal);
    assert.ok(check.kind === "accepted", JSON.stringify(check));
    assert.deepEqual(
      check.columns.map(({ name, type }) => `${name} ${type}`),
      columns[1],
    );
    assert.match((await source().explain({ sql: plan[0], limits: LIMITS, signal })).plan, plan[1]);
  });

  it("tells errors by their kind", async () => {
    for (const [sql, kind] of errors) await assert.rejects(run(sql), { kind }, sql);
  });

  endsStatements(async () => source(), endless);
}

/** What nobody waits for does not go on in the engine. */
export function endsStatements(open: () => Promise<SqlSource>, { sql, watch }: EndlessStatement): void {
  it("ends a statement on the server that nobody waits for, and one that takes too long", async () => {
    const source = await open();
    const run = (timeoutMs: number, until: AbortSignal) =>
      source.query({ sql, limits: { ...LIMITS, timeoutMs }, signal: until });
    const lost = new AbortController();
    const first = watch();
    const query = run(60_000, lost.signal);
    while (!(await first.isRunning())) await new Promise(setImmediate);
    lost.abort();
    await assert.rejects(query, { kind: "cancelled" });
    await first.assertEnded();
    const second = watch();
    await assert.rejects(run(100, signal), { kind: "timeout" });
    await second.assertEnded();
  });
}

/** Joins of a table `orders` whose rows are so many that they do not end. `running`: how many statements the server runs. */
export function endlessJoin(running: () => Promise<number>): EndlessStatement {
  return {
    sql: "SELECT count(*) FROM orders a CROSS JOIN orders b CROSS JOIN orders c CROSS JOIN orders d",
    watch: () => ({
      isRunning: async () => (await running()) > 0,
      assertEnded: async () => {
        while ((await running()) > 0) await new Promise(setImmediate);
      },
    }),
  };
}

/** What says why nothing could be opened has no password. */
export async function assertNoPassword(opened: Promise<unknown>, said: RegExp, password = /hush-hush/): Promise<void> {
  await assert.rejects(opened, (error: Error) => {
    assert.match(error.message, said);
    assert.doesNotMatch(`${error.message} ${error.stack}`, password);
    return true;
  });
}

/** The engine keeps what is behind the limit. `sql` has a million rows. */
export function readsInBoundedMemory(sql: string, open: () => Promise<SqlSource>): void {
  it("reads a million rows in bounded memory", async () => {
    const source = await open();
    const before = process.memoryUsage().rss;
    const limits = { maxRows: 50_000, timeoutMs: 30_000, maxBytes: 3_000_000 };
    const { rows, truncated } = await source.query({ sql, limits, signal });
    assert.deepEqual([rows.length, truncated], [50_000, true]);
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
  });
}

/** Statements that must not run, by what they would do. */
export function rejectsEffects(
  effects: Readonly<Record<string, readonly string[]>>,
  open: () => Promise<SqlSource>,
): void {
  for (const [effect, statements] of Object.entries(effects)) {
    it(`rejects statements that would ${effect} (${statements.length} tried)`, async () => {
      const source = await open();
      for (const sql of statements) {
        assert.notEqual((await source.check(sql, [], signal)).kind, "accepted", sql);
        await assert.rejects(source.query({ sql, limits: LIMITS, signal }), { kind: /^(rejected|invalid)$/ }, sql);
      }
    });
  }
}

/** Questions that must run. */
export function acceptsQuestions(questions: readonly string[], open: () => Promise<SqlSource>): void {
  it(`accepts questions in every form (${questions.length} tried)`, async () => {
    const source = await open();
    for (const sql of questions) {
      const check = await source.check(sql, [], signal);
      assert.equal(check.kind, "accepted", `${sql}: ${JSON.stringify(check)}`);
      await source.query({ sql, limits: LIMITS, signal });
    }
  });
}

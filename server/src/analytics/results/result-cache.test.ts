import assert from "node:assert/strict";
import { it } from "node:test";
import { definedFields } from "#base";
import type { QueryRequest, ResultSet, SqlSource } from "#warehouse";
import { createResultCache } from "./result-cache.ts";

const unasked = () => Promise.reject(new Error("nothing asks for it"));

/** A source that counts its queries. `version`: of its one table. */
function countingSource(state: { queries: number; version?: string }): SqlSource {
  const columns = [{ name: "n", type: "INT64", mode: "NULLABLE" as const }];
  return {
    ...{ kind: "sql", dialect: "postgresql", distinctValues: unasked, check: unasked, explain: unasked },
    ...{ quoteTable: String, quoteName: String, quoteText: String },
    describe: async () => [{ path: ["t"], columns, ...(state.version && { version: state.version }) }],
    query: async (): Promise<ResultSet> => ({
      ...{ columns, truncated: false, durationMs: 1 },
      rows: [[String(++state.queries)]],
    }),
  };
}

const request = (sql: string): QueryRequest => ({
  sql,
  limits: { maxRows: 10, maxBytes: 1_000, timeoutMs: 1_000 },
  signal: new AbortController().signal,
});

for (const [what, version, read] of [
  ["of a table that tells no version is kept for its time", undefined, [1, 1, 2]],
  ["of a table that tells its version is kept until that changes", "1", [1, 1, 1]],
] as const)
  it(`a result ${what} (CA-54)`, async () => {
    let now = 1_000;
    const state = { queries: 0, ...definedFields({ version }) };
    const limits = { maxAgeMs: 60_000, maxBytes: 1_000, maxEntries: 10 };
    const cache = createResultCache(limits, { clock: { now: () => now }, count: () => undefined });
    const source = cache.over(countingSource(state), ["references"]);
    const queries: number[] = [];
    for (const at of [1_000, 60_999, 61_000]) {
      now = at;
      const { cachedAt } = await source.query(request("SELECT n FROM t"));
      assert.equal(cachedAt, state.queries === queries.at(-1) ? 1_000 : undefined);
      queries.push(state.queries);
    }
    assert.deepEqual(queries, read);
    await cache.over(countingSource(state), ["other references"]).query(request("SELECT n FROM t"));
    assert.equal(state.queries, (read.at(-1) ?? 0) + 1);
  });

it("a statement of long words is searched for what changes once, not from each letter", {
  timeout: 60_000,
}, async () => {
  const state = { queries: 0 };
  const limits = { maxAgeMs: 60_000, maxBytes: 10_000_000, maxEntries: 10 };
  const source = createResultCache(limits, { clock: { now: () => 1 }, count: () => undefined }).over(
    countingSource(state),
    [],
  );
  const word = "uuid".repeat(500_000);
  for (const sql of [`SELECT '${word}' FROM t`, `SELECT ${word} (n) FROM t`, "SELECT gen_uuid_v4 () FROM t"])
    for (let time = 0; time < 2; time++) await source.query(request(sql));
  // The first is kept; the others call something that may have another value each time.
  assert.equal(state.queries, 5);
});

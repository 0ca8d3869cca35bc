import assert from "node:assert/strict";
import { it } from "node:test";
import { oversize } from "./statement-size.ts";

const times = (count: number, text: string, separator: string) => Array(count).fill(text).join(separator);

for (const [what, sql] of [
  ["too many conditions", `SELECT a FROM t WHERE ${times(20_000, "a = 1", " OR ")}`],
  [
    "too many conditions",
    `SELECT ${times(2_000, "CASE WHEN a THEN 1 ELSE ", "")} 1 ${times(2_000, "END", " ")} FROM t`,
  ],
  ["too many items", `SELECT a FROM t WHERE a IN (${times(20_000, "1", ", ")})`],
  ["too deep", `SELECT ${"(".repeat(500)}1${")".repeat(500)}`],
  ["a comment without an end", `SELECT 1 ${times(60_000, "/*", " ")}`],
  ["too long", `SELECT '${"x".repeat(300_000)}'`],
] as const)
  it(`a statement is refused before it is parsed: ${what}, ${sql.slice(0, 40)} … (CA-32)`, () => {
    assert.equal(oversize(sql)?.kind, "rejected");
  });

it("what stands in texts, names and comments does not count", () => {
  const inside = times(2_000, "and or not (", " ");
  assert.equal(oversize(`SELECT '${inside}' AS "${inside}" -- ${inside}\n/* ${inside} */ FROM t`), undefined);
});

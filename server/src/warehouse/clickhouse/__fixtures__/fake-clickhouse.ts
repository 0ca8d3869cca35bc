import { listen } from "../../remote/__fixtures__/listen.ts";

/** The HTTP interface of ClickHouse over a real socket, with answers that are written down: it computes nothing. */
export function startFakeClickHouse() {
  return listen(({ body }, response) => {
    if (body.includes("never_ends") && !body.startsWith("DESCRIBE")) return;
    const failure = Object.entries(FAILURES).find(([part]) => body.includes(part));
    if (failure && !body.includes("system.")) {
      const [status, text] = failure[1];
      response.writeHead(status, { "content-type": "text/plain" }).end(text);
      return;
    }
    const lines = ANSWERS.find(([pattern]) => pattern.test(body))?.[1] ?? [["1"], ["UInt8"], [1]];
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.end(`${lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")}\n`);
  });
}

const FAILURES: Readonly<Record<string, readonly [number, string]>> = {
  no_such_column: [404, "Code: 47. DB::Exception: Unknown expression identifier `no_such_column`. (UNKNOWN_IDENTIFIER) (version 25.8.1.1)"],
  costly: [500, "Code: 307. DB::Exception: Limit for rows or bytes to read exceeded: max bytes: 10 B. (TOO_MANY_BYTES)"],
  forbidden: [403, "Code: 497. DB::Exception: reader: Not enough privileges. (ACCESS_DENIED)"],
};

const TABLES = ["events", "secrets"];
const COLUMNS = [
  ["id", "UInt64", "of the event"],
  ["kind", "LowCardinality(Nullable(String))", ""],
  ["at", "DateTime", ""],
  ["day", "Date", ""],
  ["price", "Nullable(Decimal(12, 2))", ""],
  ["tags", "Array(String)", ""],
  ["ok", "Bool", ""],
] as const;

const ANSWERS: readonly (readonly [RegExp, readonly (string | readonly unknown[])[]])[] = [
  [/total_rows/, [["database", "name", "comment", "total_rows"], ["String", "String", "String", "UInt64"], ["shop", "events", "What happened", "1000"]]],
  [/FROM system\.tables/, [["database", "name"], ["String", "String"], ...TABLES.map((name) => ["shop", name])]],
  [/FROM system\.columns/, [["database", "table", "name", "type", "comment"], ["String", "String", "String", "String", "String"], ...COLUMNS.map((column) => ["shop", "events", ...column])]],
  [/^DESCRIBE TABLE/, [["name", "type"], ["String", "String"], ["n", "UInt64"], ["n", "Nullable(Float64)"]]],
  [/^EXPLAIN PLAN/, [["explain"], ["String"], ["Expression"], ["  ReadFromMergeTree (shop.events)"]]],
  [/breaks_off/, [["id"], ["UInt64"], ["1"], "Code: 241. DB::Exception: Memory limit exceeded (MEMORY_LIMIT_EXCEEDED)"]],
  [/GROUP BY `kind`/, [["kind", "count()"], ["String", "UInt64"], ["view", "7"], ["click", "3"]]],
  [
    /FROM `shop`\.`events`/,
    [
      COLUMNS.map(([name]) => name),
      COLUMNS.map(([, type]) => type),
      ["18446744073709551615", "view", "2026-01-01 10:00:00", "2026-01-01", "4.50", ["a", "b"], true],
      ["2", null, "2026-01-01 11:00:00", "2026-01-01", null, [], false],
      ["3", "click", "2026-01-01 12:00:00", "2026-01-01", "1.00", [], false],
    ],
  ],
];

import { listen } from "../../remote/__fixtures__/listen.ts";

interface Answer {
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The client protocol of Trino over a real socket, with answers that are written down: it computes nothing. Rows come one a page. */
export function startFakeTrino() {
  const running = new Map<string, Answer>();
  return listen(({ method, url, body }, response, origin) => {
    const send = (page: object) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page));
    if (method === "DELETE") {
      response.writeHead(204).end();
      return;
    }
    if (method === "POST") {
      const id = `query_${running.size}`;
      running.set(id, ANSWERS.find(([pattern]) => pattern.test(body))?.[1] ?? { columns: [["_col0", "integer"]], rows: [[1]] });
      const failure = Object.entries(FAILURES).find(([part]) => body.includes(part))?.[1];
      if (failure) send({ id, error: failure, stats: { state: "FAILED" } });
      else send({ id, nextUri: `${origin}/v1/statement/${id}/${body.includes("never_ends") ? "wait" : 0}`, stats: { state: "QUEUED" } });
      return;
    }
    const [, , , id = "", at = ""] = url.pathname.split("/");
    if (at === "wait") {
      send({ id, nextUri: url.href, stats: { state: "RUNNING" } });
      return;
    }
    const { columns, rows } = running.get(id) ?? { columns: [], rows: [] };
    const row = rows[Number(at)];
    send({
      id,
      columns: columns.map(([name, type]) => ({ name, type })),
      ...(row && { data: [row], nextUri: `${origin}/v1/statement/${id}/${Number(at) + 1}` }),
      stats: { state: row ? "RUNNING" : "FINISHED" },
    });
  });
}

const FAILURES = {
  no_such_column: { message: "line 1:8: Column 'no_such_column' cannot be resolved", errorName: "COLUMN_NOT_FOUND", errorType: "USER_ERROR" },
  costly: { message: "Exceeded scan limit of 10B", errorName: "EXCEEDED_SCAN_LIMIT", errorType: "INSUFFICIENT_RESOURCES" },
  forbidden: { message: "Access Denied: Cannot select from table", errorName: "PERMISSION_DENIED", errorType: "USER_ERROR" },
};

const ANSWERS: readonly (readonly [RegExp, Answer])[] = [
  [/information_schema\.tables/, { columns: [["table_schema", "varchar"], ["table_name", "varchar"]], rows: [["web", "events"], ["web", "secrets"]] }],
  [
    /information_schema\.columns/,
    {
      columns: ["table_schema", "table_name", "column_name", "data_type", "is_nullable", "comment"].map((name) => [name, "varchar"]),
      rows: [
        ["web", "events", "id", "bigint", "NO", "of the event"],
        ["web", "events", "at", "timestamp(3) with time zone", "YES", null],
        ["web", "events", "price", "decimal(12,2)", "YES", null],
        ["web", "events", "tags", "array(varchar)", "YES", null],
      ],
    },
  ],
  [/LIMIT 0$/, { columns: [["n", "bigint"], ["n", "double"]], rows: [] }],
  [/^EXPLAIN/, { columns: [["Query Plan", "varchar"]], rows: [["TableScan[hive:web:events]"]] }],
  [
    /"events"/,
    {
      columns: [["id", "bigint"], ["at", "timestamp(3) with time zone"], ["price", "decimal(12,2)"], ["tags", "array(varchar)"], ["ok", "boolean"]],
      rows: [
        [1, "2026-01-01 10:00:00.000 UTC", "4.50", ["a", "b"], true],
        [2, null, null, null, false],
        [3, null, null, null, false],
      ],
    },
  ],
];

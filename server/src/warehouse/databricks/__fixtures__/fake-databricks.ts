import { listen } from "../../remote/__fixtures__/listen.ts";

interface Answer {
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The Statement Execution API of Databricks and its grant of tokens over a real socket, with answers that are written down: it computes nothing. Rows come one a chunk. */
export function startFakeDatabricks() {
  const statements: string[] = [];
  const polled = new Set<string>();
  return listen(({ method, url, body }, response) => {
    const send = (page: object, status = 200) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(page));
    if (url.pathname === "/oidc/v1/token") {
      send({ access_token: "granted", token_type: "Bearer", expires_in: 3600 });
      return;
    }
    const [, , , , , id = "", action, , chunk] = url.pathname.split("/");
    if (action === "cancel") {
      send({});
      return;
    }
    if (method === "POST") {
      const { statement, warehouse_id } = JSON.parse(body);
      if (warehouse_id === "gone") {
        send({ error_code: "PERMISSION_DENIED", message: "You do not have permission to use the SQL Warehouse." }, 403);
        return;
      }
      statements.push(statement);
      send({ statement_id: String(statements.length - 1), status: { state: "PENDING" } });
      return;
    }
    const sql = statements[Number(id)] ?? "";
    const message = sql.includes("information_schema") ? undefined : Object.entries(FAILURES).find(([part]) => sql.includes(part))?.[1];
    if (message) {
      send({ statement_id: id, status: { state: "FAILED", error: { error_code: "BAD_REQUEST", message } } });
      return;
    }
    if (sql.includes("never_ends") || (sql.includes("slow") && !polled.has(id))) {
      polled.add(id);
      send({ statement_id: id, status: { state: "RUNNING" } });
      return;
    }
    const { columns, rows } = ANSWERS.find(([pattern]) => pattern.test(sql))?.[1] ?? { columns: [["1", "INT"]], rows: [["1"]] };
    const part = (at: number) => ({ chunk_index: at, row_offset: at, data_array: rows.slice(at, at + 1), ...(at + 1 < rows.length && { next_chunk_index: at + 1 }) });
    if (chunk !== undefined) {
      send(part(Number(chunk)));
      return;
    }
    const schema = { column_count: columns.length, columns: columns.map(([name, type], position) => ({ name, type_text: type, position })) };
    send({ statement_id: id, status: { state: "SUCCEEDED" }, manifest: { format: "JSON_ARRAY", schema, truncated: sql.includes("large") }, result: part(0) });
  });
}

const FAILURES = {
  no_such_column: "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `no_such_column` cannot be resolved. SQLSTATE: 42703",
  forbidden: "[INSUFFICIENT_PERMISSIONS] Insufficient privileges: User does not have SELECT on Table 'main.web.events'. SQLSTATE: 42501",
  broken: "[INTERNAL_ERROR] The Spark SQL phase optimization failed. SQLSTATE: XX000",
};

const texts = (...names: readonly string[]) => names.map((name) => [name, "STRING"] as const);

const ANSWERS: readonly (readonly [RegExp, Answer])[] = [
  [/^EXPLAIN/, { columns: texts("plan"), rows: [["== Physical Plan ==\nPhotonScan parquet main.web.events[id]"]] }],
  [/information_schema\.tables WHERE table_schema IN/, { columns: texts("table_schema", "table_name", "comment"), rows: [["web", "events", "What happened"]] }],
  [/information_schema\.tables/, { columns: texts("table_schema", "table_name"), rows: [["web", "events"], ["web", "secrets"], ["web", "users"]] }],
  [
    /information_schema\.columns/,
    {
      columns: texts("table_schema", "table_name", "column_name", "full_data_type", "is_nullable", "comment"),
      rows: [
        ["web", "events", "id", "bigint", "NO", "of the event"],
        ["web", "events", "at", "timestamp", "YES", null],
        ["web", "events", "price", "decimal(12,2)", "YES", null],
        ["web", "events", "user_id", "bigint", "YES", null],
        ["web", "events", "tags", "array<string>", "YES", null],
        ["web", "users", "id", "bigint", "NO", null],
      ],
    },
  ],
  [
    /key_column_usage/,
    {
      columns: texts("schema", "table", "constraint", "column", "other_schema", "other_table", "other_column"),
      rows: [
        ["web", "events", "events_user", "user_id", "web", "users", "id"],
        ["web", "users", "users_key", "id", null, null, null],
      ],
    },
  ],
  [/LIMIT 0$/, { columns: [["n", "BIGINT"], ["n", "DOUBLE"]], rows: [] }],
  [/`kind`/, { columns: [["kind", "STRING"], ["count(1)", "BIGINT"]], rows: [["view", "7"], ["click", "3"]] }],
  [
    /`events`/,
    {
      columns: [["id", "BIGINT"], ["at", "TIMESTAMP"], ["written", "TIMESTAMP_NTZ"], ["day", "DATE"], ["price", "DECIMAL(12,2)"], ["ok", "BOOLEAN"], ["tags", "ARRAY<STRING>"], ["more", "STRUCT<a: INT>"]],
      rows: [
        ["1", "2026-01-01T10:00:00.500Z", "2026-01-01 10:00:00.5", "2026-01-01", "4.50", "true", '["a","b"]', '{"a":1}'],
        ["2", null, null, null, null, "false", null, null],
        ["3", null, null, null, null, "false", null, null],
      ],
    },
  ],
];

import { gzipSync } from "node:zlib";
import { listen } from "../../remote/__fixtures__/listen.ts";

interface Answer {
  readonly rowType: readonly { readonly name: string; readonly type: string; readonly scale?: number; readonly nullable?: boolean }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The SQL API of Snowflake over a real socket, with answers that are written down: it computes nothing. Rows come one a partition, packed behind the first. */
export function startFakeSnowflake() {
  const statements: string[] = [];
  const polled = new Set<string>();
  return listen(({ method, url, body }, response) => {
    const send = (status: number, page: object) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(page));
    const [, , , , handle = "", action] = url.pathname.split("/");
    if (method === "POST" && action === "cancel") {
      send(200, { statementHandle: handle, message: "Statement canceled." });
      return;
    }
    if (method === "POST") {
      statements.push(JSON.parse(body).statement);
      send(202, { code: "333334", message: "Asynchronous execution in progress.", statementHandle: String(statements.length - 1) });
      return;
    }
    const sql = statements[Number(handle)] ?? "";
    const failure = sql.includes("INFORMATION_SCHEMA") ? undefined : Object.entries(FAILURES).find(([part]) => sql.includes(part))?.[1];
    if (failure) {
      send(422, { ...failure, statementHandle: handle });
      return;
    }
    if (sql.includes("NEVER_ENDS") || (sql.includes("SLOW") && !polled.has(handle))) {
      polled.add(handle);
      send(202, { code: "333334", statementHandle: handle });
      return;
    }
    const { rowType, rows } = ANSWERS.find(([pattern]) => pattern.test(sql))?.[1] ?? { rowType: [{ name: "1", type: "fixed", scale: 0 }], rows: [["1"]] };
    const partition = url.searchParams.get("partition");
    if (partition !== null) {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify({ data: [rows[Number(partition)]] })));
      return;
    }
    const partitionInfo = rows.length === 0 ? [{ rowCount: 0 }] : rows.map(() => ({ rowCount: 1 }));
    send(200, { code: "090001", statementHandle: handle, resultSetMetaData: { numRows: rows.length, format: "jsonv2", rowType, partitionInfo }, data: rows.slice(0, 1) });
  });
}

const FAILURES = {
  NO_SUCH_COLUMN: { code: "000904", sqlState: "42000", message: "SQL compilation error: error line 1 at position 7 invalid identifier 'NO_SUCH_COLUMN'" },
  FORBIDDEN: { code: "003001", sqlState: "42501", message: "SQL access control error: Insufficient privileges to operate on table 'EVENTS'" },
  TOO_LONG: { code: "000630", sqlState: "57014", message: "Statement reached its statement or warehouse timeout of 5 second(s) and was canceled." },
};

const texts = (...names: readonly string[]) => names.map((name) => ({ name, type: "text" }));

const ANSWERS: readonly (readonly [RegExp, Answer])[] = [
  [/^EXPLAIN/, { rowType: texts("content"), rows: [[JSON.stringify({ GlobalStats: { partitionsTotal: 9, bytesAssigned: 4096 }, Operations: [[{ id: 0, operation: "Result" }, { id: 1, operation: "TableScan", objects: ["SHOP.WEB.EVENTS"] }]] })]] }],
  [/SCHEMA\.TABLES WHERE TABLE_SCHEMA IN/, { rowType: texts("TABLE_SCHEMA", "TABLE_NAME", "ROW_COUNT", "COMMENT"), rows: [["WEB", "EVENTS", "1000", "What happened"]] }],
  [/SCHEMA\.TABLES/, { rowType: texts("TABLE_SCHEMA", "TABLE_NAME"), rows: [["WEB", "EVENTS"], ["WEB", "SECRETS"], ["WEB", "USERS"]] }],
  [
    /SCHEMA\.COLUMNS/,
    {
      rowType: texts("TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "DATA_TYPE", "NUMERIC_SCALE", "IS_NULLABLE", "COMMENT"),
      rows: [
        ["WEB", "EVENTS", "ID", "NUMBER", "0", "NO", "of the event"],
        ["WEB", "EVENTS", "AT", "TIMESTAMP_TZ", null, "YES", null],
        ["WEB", "EVENTS", "PRICE", "NUMBER", "2", "YES", null],
        ["WEB", "EVENTS", "USER_ID", "NUMBER", "0", "YES", null],
        ["WEB", "USERS", "ID", "NUMBER", "0", "NO", null],
      ],
    },
  ],
  [/^SHOW PRIMARY/, { rowType: texts("schema_name", "table_name", "column_name", "key_sequence", "constraint_name"), rows: [["WEB", "USERS", "ID", "1", "users_key"]] }],
  [
    /^SHOW IMPORTED/,
    {
      rowType: texts("pk_schema_name", "pk_table_name", "pk_column_name", "fk_schema_name", "fk_table_name", "fk_column_name", "key_sequence", "fk_name"),
      rows: [["WEB", "USERS", "ID", "WEB", "EVENTS", "USER_ID", "1", "events_users"]],
    },
  ],
  [/LIMIT 0$/, { rowType: [{ name: "N", type: "fixed", scale: 0 }, { name: "N", type: "real" }], rows: [] }],
  [
    /"EVENTS"/,
    {
      rowType: [
        { name: "ID", type: "fixed", scale: 0, nullable: false },
        { name: "AT", type: "timestamp_tz", scale: 9 },
        { name: "DAY", type: "date" },
        { name: "WRITTEN", type: "timestamp_ntz", scale: 9 },
        { name: "PRICE", type: "fixed", scale: 2 },
        { name: "OK", type: "boolean" },
        { name: "TAGS", type: "array" },
        { name: "RAW", type: "binary" },
      ],
      rows: [
        ["1", "1767261600.500000000 1500", "20454", "-1.500000000", "4.50", "true", '["a","b"]', "0102"],
        ["2", null, null, null, null, "false", null, null],
        ["3", null, null, null, null, "false", null, null],
      ],
    },
  ],
];

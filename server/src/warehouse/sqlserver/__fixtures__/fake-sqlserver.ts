import { type AddressInfo, createServer, type Socket } from "node:net";
import {
  done,
  errorAnswer,
  type FakeResult,
  loginAnswer,
  MESSAGE,
  messageReader,
  packet,
  preloginAnswer,
  readBatch,
  readLogin,
  resultAnswer,
} from "./tds-messages.ts";

const EVENT_COLUMNS = [
  ...["id bigint", "at datetimeoffset", "local datetime2", "day date", "price decimal(38,2)", "cost money"],
  ...["ratio real", "done bit", "name nvarchar", "raw varbinary"],
];
const MOMENT = "2026-01-01T10:00:00.1234567";
const EVENTS: FakeResult = {
  columns: EVENT_COLUMNS,
  rows: [
    ["9007199254740993", MOMENT, MOMENT, "2026-01-01", "-4.50", "1.25", 0.1, true, "Zoë", "ab"],
    ["2", ...Array.from({ length: 6 }, () => null), false, "b", null],
    ["3", ...Array.from({ length: 6 }, () => null), false, "c", null],
  ],
};
const CATALOG_COLUMNS = ["schema", "table", "a", "b", "c", "d", "e"].map((name) => `${name} nvarchar`);
const catalog = (...rows: readonly (readonly string[])[]): FakeResult => ({ columns: CATALOG_COLUMNS, rows });

/** Parts of the status of DONE (MS-TDS 2.2.7.6). */
const [MORE, COUNTED, ATTENTION] = [0x01, 0x10, 0x20];

/** What statements answer, by the first pattern that fits. */
const ANSWERS: readonly (readonly [RegExp, FakeResult | Buffer | "never"])[] = [
  [/sys\.foreign_keys/, catalog(["web", "events", "made_by", "user_id", "web", "users", "id"])],
  [/sys\.indexes/, catalog(["web", "users", "pk", "id"])],
  [
    /sys\.columns/,
    catalog(
      ["web", "events", "id", "bigint", "false"],
      ["web", "events", "at", "datetimeoffset", "true", "When it was"],
      ["web", "events", "price", "decimal", "true"],
      ["web", "events", "user_id", "int", "true"],
      ["web", "users", "id", "int", "false"],
    ),
  ],
  [/sys\.partitions/, catalog(["web", "events", "What happened", "3"], ["web", "users", "", "2"])],
  [/sys\.objects/, catalog(["web", "events"], ["web", "secrets"], ["web", "users"])],
  [
    /sp_describe_first_result_set.*no_such_column/,
    errorAnswer(207, 16, "Invalid column name 'no_such_column'."),
  ],
  [
    /sp_describe_first_result_set/,
    {
      columns: ["is_hidden bit", "name nvarchar", "system_type_name nvarchar"],
      rows: [
        [false, "n", "int"],
        [false, "n", "decimal(38,6)"],
        [true, "id", "int"],
      ],
    },
  ],
  [/no_such_column/, errorAnswer(207, 16, "Invalid column name 'no_such_column'.")],
  [/forbidden/, errorAnswer(229, 14, "The SELECT permission was denied on the object 'events'.")],
  [/broken/, errorAnswer(823, 24, "The operating system returned an error.")],
  [/never_ends/, "never"],
  [/share/, { columns: ["n decimal(38,15)"], rows: [["33.333333333333333"]] }],
  [/too_precise/, { columns: ["n decimal(38,2)"], rows: [["12345678901234567890.12"]] }],
  [/FROM \[shop\]\.\[web\]\.\[events\]/, EVENTS],
];

/** A SQL Server at the edge: TDS 7.4 over a real socket, for one login. It runs no SQL: each batch gets the first answer that fits. */
export async function startFakeSqlServer() {
  const batches: string[] = [];
  const logins: ReturnType<typeof readLogin>[] = [];
  const sockets = new Set<Socket>();
  const state = { running: 0, attentions: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    const session = { plans: false };
    socket.on(
      "data",
      messageReader((type, payload) => {
        for (const answer of answersTo(type, payload, session)) socket.write(packet(answer));
      }),
    );
  });

  function answersTo(type: number, payload: Buffer, session: { plans: boolean }): readonly Buffer[] {
    if (type === MESSAGE.prelogin) return [preloginAnswer()];
    if (type === MESSAGE.login) {
      const login = readLogin(payload);
      logins.push(login);
      return [login.password === "hush-hush" ? loginAnswer() : loginFailure(login.user)];
    }
    if (type === MESSAGE.attention) {
      state.attentions++;
      // What was asked is answered first.
      const ended = state.running > 0 ? [done()] : [];
      state.running = 0;
      return [...ended, done(ATTENTION)];
    }
    if (type !== MESSAGE.batch) throw new Error(`The fake knows no message of type ${type}.`);
    const answer = batchAnswer(readBatch(payload), session);
    return answer ? [answer] : [];
  }

  function batchAnswer(sql: string, session: { plans: boolean }): Buffer | undefined {
    batches.push(sql);
    if (/^SET SHOWPLAN_TEXT/.test(sql)) session.plans = sql.endsWith("ON");
    if (/^(set|SET|IF) /.test(sql)) return done();
    if (session.plans) return planAnswer(sql);
    const answer = ANSWERS.find(([pattern]) => pattern.test(sql))?.[1];
    if (answer === undefined) throw new Error(`The fake has no answer to ${sql}`);
    if (answer === "never") {
      state.running++;
      return undefined;
    }
    return Buffer.isBuffer(answer) ? answer : Buffer.concat([resultAnswer(answer), done(COUNTED)]);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    batches,
    logins,
    state,
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function loginFailure(user: string): Buffer {
  return errorAnswer(18456, 14, `Login failed for user '${user}'.`);
}

function planAnswer(sql: string): Buffer {
  const lines = (...rows: readonly string[]) =>
    resultAnswer({ columns: ["StmtText nvarchar"], rows: rows.map((row) => [row]) });
  const more = done(COUNTED | MORE);
  return Buffer.concat([lines(sql), more, lines("  |--Clustered Index Scan", "       |--Filter"), done(COUNTED)]);
}

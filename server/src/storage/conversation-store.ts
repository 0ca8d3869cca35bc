import { aborted } from "#status";
import type {
  ConversationHead,
  ConversationQuery,
  ConversationStore,
  ListedConversation,
  ScannedPage,
  SessionLease,
  TurnRow,
} from "./contract.ts";
import { toHead, toStored } from "./conversation-head.ts";
import type { Engine, Step } from "./engine.ts";
import type { ExportRow } from "./export-contract.ts";
import { inGroups, type Parameter, prepare, toPage } from "./queries.ts";
import { findRareWords, type ListedRow, PART, readsWords, selectConversations } from "./select-conversations.ts";
import type { ExportValues, HeadValues } from "./tables.ts";

/** Sessions and their turns over any dialect. */
export function createConversationStore(engine: Engine): ConversationStore {
  const statements = prepareStatements(engine);

  async function getHead(name: string): Promise<ConversationHead | undefined> {
    const [row] = await engine.all(statements.head({ name }));
    return row && toHead(row);
  }

  async function countTurns(name: string): Promise<number> {
    return (await getHead(name))?.turnCount ?? 0;
  }

  async function getTurns(name: string): Promise<readonly TurnRow[]> {
    return (await engine.all(statements.turns({ name }))).map(toTurn);
  }

  async function getTurn(name: string, index: number): Promise<TurnRow | undefined> {
    const [row] = await engine.all(statements.turn({ name, index }));
    return row && toTurn(row);
  }

  async function appendTurn(
    head: ConversationHead,
    turn: TurnRow,
    exports: readonly ExportRow[] = [],
    lease?: SessionLease,
  ): Promise<ConversationHead> {
    if (engine.appendTurn) {
      const { body, extra, text, withheld = false } = turn;
      const row = { head: toStored(head, turn.index), body, extra, text, withheld, token: lease?.token };
      const stored = await engine.appendTurn({
        ...row,
        exports: exports.map((each) => toStoredExport(each, head.app)),
      });
      if (!stored) throw turnConflict(head.name, turn.index, await countTurns(head.name));
      return { ...head, turnCount: turn.index };
    }
    const values = appendedValues(head, turn);
    const putHead = turn.index === 1 ? statements.insertHead(values) : statements.updateHead(values);
    const waiting = exports.map((row) => statements.insertExport(toStoredExport(row, head.app)));
    const outcome = await engine.commit([once(putHead), once(statements.insertTurn(values)), ...waiting]);
    if (outcome.kind === "condition-failed") throw turnConflict(head.name, turn.index, await countTurns(head.name));
    return { ...head, turnCount: turn.index };
  }

  async function remove(names: readonly string[], endedBefore = Number.MAX_VALUE): Promise<readonly string[]> {
    const outcomes = await Promise.all(names.map((name) => engine.commit([statements.remove({ name, endedBefore })])));
    return names.filter((_, at) => {
      const outcome = outcomes[at];
      return outcome?.kind === "committed" && outcome.changes > 0;
    });
  }

  async function endedBefore(app: string, time: number, limit: number): Promise<readonly string[]> {
    const rows = await engine.all(selectEnded(engine, app, time, limit));
    return rows.map(({ name }) => name);
  }

  async function settle(name: string, turnCount: number, state: string): Promise<boolean> {
    const settled = once(statements.settle({ name, turnCount, state }));
    const forget = engine.sharing ? [engine.sharing.forgetHead(name)] : [];
    const outcome = await engine.commit([settled, statements.forgetWithheld({ name }), ...forget]);
    return outcome.kind === "committed";
  }

  return {
    getHead,
    getTurns,
    getTurn,
    getTurnsOfMany: (names) => getTurnsOfMany(engine, names),
    appendTurn,
    list: (query, signal) => listConversations(engine, query, signal),
    remove,
    endedBefore,
    due: (time, limit) => listDue(engine, time, limit),
    settle,
  };
}

async function listDue(engine: Engine, time: number, limit: number): Promise<readonly ConversationHead[]> {
  const select = engine.queries.selectFrom("conversations").selectAll().where("due_time", "<=", time);
  const rows = await engine.all(select.orderBy("due_time").limit(limit).compile());
  return rows.map(toHead);
}

async function listConversations(
  engine: Engine,
  query: ConversationQuery,
  signal?: AbortSignal,
): Promise<ScannedPage<ListedConversation>> {
  if (readsWords(query)) await engine.search.catchUp();
  const rareWords = await findRareWords(engine, query, signal);
  const read = await engine.late(selectConversations(engine, query, rareWords), signal);
  const foundIn = (row: ListedRow) => (query.searches ?? []).map((_, at) => row[`found_${at}`] === 1);
  const positionOf = (row: ListedRow) => [row.start_time, row.name] as const;
  const rows = read.filter(({ listed }) => listed !== 0);
  const page = toPage(rows, query.limit, (row) => ({ head: toHead(row), found: foundIn(row) }), positionOf);
  const final = read.at(-1);
  return page.last === undefined && final?.nth === PART
    ? { ...page, part: { last: positionOf(final), scanned: PART } }
    : page;
}

async function getTurnsOfMany(
  engine: Engine,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const found = new Map<string, Uint8Array[]>();
  for (const some of inGroups(names)) {
    const rows = await engine.all(
      engine.queries
        .selectFrom("conversations")
        .innerJoin("turns", "turns.conversation", "conversations.id")
        .select(["conversations.name", "turns.body"])
        .where("conversations.name", "in", some)
        .where("conversations.hidden", "=", 0)
        .orderBy("turns.conversation")
        .orderBy("turns.turn_index")
        .compile(),
    );
    for (const { name, body } of rows) {
      const turns = found.get(name);
      if (turns) turns.push(body);
      else found.set(name, [body]);
    }
  }
  return found;
}

/** ABORTED: another turn of the session was stored first or has begun, or the previous one is missing (CONV-14). `stored`: how many are. */
function turnConflict(conversation: string, index: number, stored: number): Error {
  return aborted(`Turn ${index} of '${conversation}' cannot be stored: ${conflictOf(index, stored)}. Send it again.`, {
    reason: "TURN_CONFLICT",
    metadata: { conversation, turn: String(index) },
  });
}

function conflictOf(index: number, stored: number): string {
  if (stored >= index) return "another turn of this session came first";
  if (stored < index - 1) return "the turn before it is not stored";
  return "the session was taken over or changed while it ran";
}

function appendedValues(head: ConversationHead, { index, body, extra, text, withheld }: TurnRow): AppendValues {
  return { ...toStored(head, index), index, before: index - 1, body, extra, text, withheld: withheld ? 1 : 0 };
}

function toTurn({ turn_index: index, body, extra, text }: StoredTurn): TurnRow {
  return { index, body, extra, text };
}

/** A step that must change one row. */
function once(step: Step): Step {
  return { ...step, changes: 1 };
}

/** No conversation ends before it starts, so the index by start time narrows the scan. */
function selectEnded({ queries }: Engine, app: string, time: number, limit: number) {
  return queries
    .selectFrom("conversations")
    .select("name")
    .where("app", "=", app)
    .where("start_time", "<", time)
    .where("end_time", "<", time)
    .orderBy("start_time")
    .limit(limit)
    .compile();
}

type StoredTurn = { turn_index: number } & Pick<TurnRow, "body" | "extra" | "text">;
type TurnValues = { index: number; before: number; body: Uint8Array; extra: string; text: string; withheld: number };
type AppendValues = HeadValues & TurnValues;

function prepareStatements({ queries }: Engine) {
  return {
    head: prepare<{ name: string }>()((parameter) =>
      queries.selectFrom("conversations").selectAll().where("name", "=", parameter("name")),
    ),
    turns: prepare<{ name: string }>()((parameter) =>
      selectTurns(queries).where("conversations.name", "=", parameter("name")).orderBy("turns.turn_index"),
    ),
    turn: prepare<{ name: string; index: number }>()((parameter) =>
      selectTurns(queries)
        .where("conversations.name", "=", parameter("name"))
        .where("turns.turn_index", "=", parameter("index")),
    ),
    insertHead: prepare<AppendValues>()((parameter) =>
      queries
        .insertInto("conversations")
        .values({
          name: parameter("name"),
          app: parameter("app"),
          start_time: parameter("start_time"),
          ...changingColumns(parameter),
        })
        .onConflict((conflict) => conflict.column("name").doNothing()),
    ),
    // `app` and `start_time` do not change: writing them would update the index of lists with every turn.
    updateHead: prepare<AppendValues>()((parameter) =>
      queries
        .updateTable("conversations")
        .set(changingColumns(parameter))
        .where("name", "=", parameter("name"))
        .where("turn_count", "=", parameter("before")),
    ),
    insertTurn: prepareInsertTurn(queries),
    insertExport: prepare<ExportValues>()((parameter) =>
      queries.insertInto("exports").values({
        destination: parameter("destination"),
        app: parameter("app"),
        created_time: parameter("created_time"),
        bytes: parameter("bytes"),
        body: parameter("body"),
      }),
    ),
    remove: prepare<{ name: string; endedBefore: number }>()((parameter) =>
      queries
        .deleteFrom("conversations")
        .where("name", "=", parameter("name"))
        .where("end_time", "<", parameter("endedBefore")),
    ),
    settle: prepare<{ name: string; turnCount: number; state: string }>()((parameter) =>
      queries
        .updateTable("conversations")
        .set({ state: parameter("state"), due_time: null })
        .where("name", "=", parameter("name"))
        .where("turn_count", "=", parameter("turnCount")),
    ),
    forgetWithheld: prepare<{ name: string }>()((parameter) =>
      queries
        .updateTable("turns")
        .set({ extra: "" })
        .where("withheld", "=", 1)
        .where("conversation", "=", (select) =>
          select.selectFrom("conversations").select("id").where("name", "=", parameter("name")),
        ),
    ),
  };
}

function selectTurns(queries: Engine["queries"]) {
  return queries
    .selectFrom("turns")
    .innerJoin("conversations", "conversations.id", "turns.conversation")
    .select(["turns.turn_index", "turns.body", "turns.extra", "turns.text"]);
}

function prepareInsertTurn(queries: Engine["queries"]) {
  return prepare<AppendValues>()((parameter) =>
    queries
      .insertInto("turns")
      .columns(["conversation", "turn_index", "body", "extra", "text", "withheld"])
      .expression(
        queries
          .selectFrom("conversations")
          .select([
            "id",
            parameter("index").as("turn_index"),
            parameter("body").as("body"),
            parameter("extra").as("extra"),
            parameter("text").as("text"),
            parameter("withheld").as("withheld"),
          ])
          .where("name", "=", parameter("name")),
      ),
  );
}

function changingColumns(parameter: Parameter<AppendValues>) {
  return {
    end_time: parameter("end_time"),
    turn_count: parameter("turn_count"),
    source: parameter("source"),
    input_types: parameter("input_types"),
    entry_agent: parameter("entry_agent"),
    deployment: parameter("deployment"),
    app_version: parameter("app_version"),
    language_code: parameter("language_code"),
    state: parameter("state"),
    hidden: parameter("hidden"),
    due_time: parameter("due_time"),
  };
}

function toStoredExport({ destination, createTime, body }: ExportRow, app: string): ExportValues {
  return { destination, app, created_time: createTime, bytes: Buffer.byteLength(body), body };
}

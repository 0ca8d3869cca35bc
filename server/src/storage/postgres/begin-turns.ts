import type { Change } from "../engine.ts";
import type { StoredConversation } from "../tables.ts";
import { Batches } from "./batches.ts";
import type { Connections } from "./connections.ts";
import type { OverloadDetector } from "./overload-detector.ts";

/** A lease that a server asks for. */
export interface WantedLease {
  readonly name: string;
  /** Never used again. */
  readonly token: string;
}

/** A lease that the server has got. */
interface GrantedLease {
  readonly session: string;
  /** Whether this server also had the lease before, and nobody forgot the conversation meanwhile. */
  readonly unchanged: boolean;
  /** What is stored of the conversation; null when nothing is, and when it is `unchanged`. */
  readonly head: StoredConversation | null;
}

/** A row of the log of changes. */
interface ChangeRow extends Change {
  readonly id: number;
  readonly origin: string;
}

/** What a server asks before it runs turns. Questions of the moment share a round trip, whatever they are about. */
export interface TurnStarts {
  /** Undefined while somebody else holds it. */
  lease(wanted: WantedLease): Promise<GrantedLease | undefined>;
  /** Resolves when `onChanges` was called with every row that was durable before. */
  look(): Promise<void>;
  /** Called with the rows since the transaction that was the oldest running one at the last look; `asleepMs`: since when that was. */
  onChanges(listener: (rows: readonly ChangeRow[], asleepMs: number) => void): void;
}

type Question = WantedLease | "changes";

/** Asks for a server. The look begins with what is written from now on. */
export async function createTurnStarts(
  connections: Connections,
  server: string,
  detector: OverloadDetector,
): Promise<TurnStarts> {
  const listeners: ((rows: readonly ChangeRow[], asleepMs: number) => void)[] = [];
  let horizon = await oldestTransaction(connections);
  let lastLook = performance.now();

  async function ask(questions: readonly Question[]): Promise<readonly (GrantedLease | undefined)[]> {
    const began = performance.now();
    const wanted = questions.filter((question) => question !== "changes");
    const parameters = [server, wanted.length > 0 ? JSON.stringify(wanted) : null, horizon];
    const { rows } = await detector.follow(
      wanted.length > 0 ? "write" : "read",
      connections.query<Answer>({ sql: BEGIN_TURNS, parameters }, "read"),
    );
    // The function returns one row.
    const [answer] = rows as [Answer];
    for (const listener of listeners) listener(answer.changed ?? [], began - lastLook);
    horizon = answer.horizon;
    lastLook = began;
    const granted = new Map((answer.granted ?? []).map((lease) => [lease.session, lease]));
    return questions.map((question) => (question === "changes" ? undefined : granted.get(question.name)));
  }

  const questions = new Batches<Question, GrantedLease | undefined>({
    keyOf: (question) => (question === "changes" ? undefined : question.name),
    // One after the other: the horizon moves with each.
    parallel: 1,
    size: 500,
    run: ask,
  });
  return {
    lease: (wanted) => questions.add(wanted),
    look: async () => {
      await questions.add("changes");
    },
    onChanges: (listener) => void listeners.push(listener),
  };
}

interface Answer {
  readonly horizon: string;
  readonly granted: readonly GrantedLease[] | null;
  readonly changed: readonly ChangeRow[] | null;
}

const BEGIN_TURNS = "select horizon, granted, changed from begin_turns($1, $2::json, $3::text::xid8)";

async function oldestTransaction(connections: Connections): Promise<string> {
  const sql = "select pg_snapshot_xmin(pg_current_snapshot())::text as xmin";
  const { rows } = await connections.query<{ xmin: string }>({ sql, parameters: [] });
  return rows[0]?.xmin ?? "0";
}

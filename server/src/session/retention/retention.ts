import { fromBinary } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { type Clock, definedFields } from "#base";
import type { ConversationHead, ConversationStore, ResourceStore } from "#storage";
import type { Redaction } from "../redaction/contract.ts";
import { redactState } from "../redaction/redact-texts.ts";
import { readSessionState, writeSessionState } from "../state/session-state.ts";
import { retentionWindowMs } from "./retention-policy.ts";

/** Conversations removed per commit; a turn that is stored meanwhile waits for one such commit. */
const BATCH = 100;

/** The result of one pass. */
interface RetentionReport {
  /** Conversations beyond their app's retention window. */
  readonly expired: number;
  /** Unlogged conversations whose session has ended or was idle. */
  readonly forgotten: number;
  /** Redacted conversations whose unredacted state was removed. */
  readonly redacted: number;
}

/** The retention job: removes conversations when their retention ends. */
export interface Retention {
  /**
   * Processes all apps once. Removes heads only, in small batches; the store removes their turns when it is idle. Stops
   * between batches when `signal` aborts. Rejects when the store fails; completed batches stay completed.
   */
  pass(signal: AbortSignal): Promise<RetentionReport>;
}

interface RetentionDeps {
  readonly resources: Pick<ResourceStore, "list" | "get">;
  readonly conversations: Pick<ConversationStore, "endedBefore" | "due" | "remove" | "settle">;
  readonly redaction: Redaction;
  readonly clock: Clock;
}

/** Creates the job. Each pass reads the apps again, so a changed window applies to existing conversations. */
export function createRetention(deps: RetentionDeps): Retention {
  return {
    async pass(signal) {
      let expired = 0;
      for await (const app of allApps(deps)) {
        if (signal.aborted) break;
        expired += await removeExpired(deps, app, signal);
      }
      return { expired, ...(await settleDue(deps, signal)) };
    },
  };
}

async function* allApps({ resources }: RetentionDeps): AsyncGenerator<App, void> {
  const query = {
    type: "ces.googleapis.com/App",
    parent: "projects/-/locations/-",
    orderBy: "name",
    descending: false,
    limit: BATCH,
  } as const;
  let after: readonly [string | number, string] | undefined;
  do {
    const page = await resources.list({ ...query, ...definedFields({ after }) });
    for (const { body } of page.rows) yield fromBinary(AppSchema, body);
    after = page.last;
  } while (after);
}

async function removeExpired({ conversations, clock }: RetentionDeps, app: App, signal: AbortSignal): Promise<number> {
  const cutoff = clock.now() - retentionWindowMs(app);
  let removed = 0;
  while (!signal.aborted) {
    const names = await conversations.endedBefore(app.name, cutoff, BATCH);
    removed += (await conversations.remove(names, cutoff)).length;
    if (names.length < BATCH) break;
  }
  return removed;
}

/** Each round processes a head or skips one that a new turn has postponed, so every round has other heads. */
async function settleDue(
  deps: RetentionDeps,
  signal: AbortSignal,
): Promise<Pick<RetentionReport, "forgotten" | "redacted">> {
  const now = deps.clock.now();
  let forgotten = 0;
  let redacted = 0;
  while (!signal.aborted) {
    const heads = await deps.conversations.due(now, BATCH);
    const hidden = heads.filter((head) => head.hidden);
    const outcomes = await Promise.all(hidden.map((head) => removeHidden(deps, head)));
    forgotten += outcomes.filter(Boolean).length;
    for (const head of heads) if (!head.hidden && (await redact(deps, head))) redacted += 1;
    if (heads.length < BATCH) break;
  }
  return { forgotten, redacted };
}

async function removeHidden({ conversations }: RetentionDeps, { name, endTime }: ConversationHead): Promise<boolean> {
  const removed = await conversations.remove([name], endTime + 1);
  return removed.length > 0;
}

async function redact(deps: RetentionDeps, head: ConversationHead): Promise<boolean> {
  const row = await deps.resources.get(head.app);
  const config = row && fromBinary(AppSchema, row.body).loggingSettings?.redactionConfig;
  // The variables of a session can have what was said in the turns that were withheld.
  const state = hasWithheldTurns(head)
    ? withoutVariables(head.state)
    : await redactState(deps.redaction.redactorFor(config, head.app), head.state);
  return deps.conversations.settle(head.name, head.turnCount, state);
}

function hasWithheldTurns({ state }: ConversationHead): boolean {
  return readSessionState(state).recording?.withheld === true;
}

function withoutVariables(state: string): string {
  return writeSessionState({ ...readSessionState(state), variables: {}, pending: [], deferred: [] });
}

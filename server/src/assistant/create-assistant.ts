import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { CreateAssistantSessionRequest } from "@frontdesk/protos/ces/assistant_service";
import { type AssistantSession, AssistantSessionSchema } from "@frontdesk/protos/ces/assistant_session";
import { LRUCache } from "lru-cache";
import { resourceIdViolations } from "#aip";
import { appOfName } from "#base";
import { alreadyExists, failedPrecondition, invalidArgument } from "#status";
import { readAttachments } from "./attachments.ts";
import type { Assistant, AssistantCaller, AssistantDeps, AssistantInput, AssistantTurn } from "./contract.ts";
import { lengthViolations, MAX_MESSAGES, seedViolations } from "./messages.ts";
import { Proposals } from "./proposals.ts";
import { runTurn, wordsOf } from "./run-turn.ts";
import { suggestionsFor } from "./suggestions.ts";
import { TurnLog } from "./turn-log.ts";

/** A turn of this server, with what ends it. */
interface LiveTurn extends AssistantTurn {
  readonly stop: AbortController;
  /** `deduplication_token` of the operation that it tells of; "" for none. */
  readonly token: string;
}

/** Turns that can still be attached to after their end. */
const MAX_ENDED = 500;

/** Sessions among which the one to go on with is looked for. */
const LATEST = 20;

/** Creates the assistant of a server. */
export function createAssistant(deps: AssistantDeps): Assistant {
  const { resources, generation } = deps;
  const { assistantRecords: records } = resources;
  const proposals = new Proposals(deps);
  const turns = new LRUCache<string, LiveTurn>({ max: MAX_ENDED });
  const running = new Map<string, LiveTurn>();

  function start(session: AssistantSession, input: AssistantInput, caller: AssistantCaller, documents: Documents) {
    const log = new TurnLog(deps);
    const stop = new AbortController();
    const outcome = runTurn({ session, input, caller, documents, log, signal: stop.signal, proposals }, deps).finally(
      () => running.delete(session.name),
    );
    // A client may follow the events alone.
    outcome.catch(() => undefined);
    const turn: LiveTurn = {
      id: log.id,
      follow: () => log.follow(),
      resume: () => log.resume(),
      outcome,
      stop,
      token: tokenOf(input),
    };
    running.set(session.name, turn);
    turns.set(session.name, turn);
    return turn;
  }

  const assertFree = (session: string) => {
    if (!running.has(session)) return;
    throw failedPrecondition(
      "A turn of this session is running. Follow it with attach_only, or end it with cancelAssistantTurn.",
      { reason: "ASSISTANT_TURN_RUNNING" },
    );
  };

  return {
    create: (request, author) => createSession(request, author, deps),
    shown: (session) =>
      session.activeTurn && !running.has(session.name) ? { ...session, activeTurn: undefined, state: "IDLE" } : session,
    begin: async (input, caller) => {
      const violations = inputViolations(input);
      if (violations.length > 0) throw invalidArgument(violations);
      const session = await records.get(input.session);
      const last = turns.get(session.name);
      // Several windows of one person report the same end.
      if (last && tokenOf(input) !== "" && last.token === tokenOf(input)) return last;
      assertFree(session.name);
      const pending = proposals.of(session.name);
      if (input.confirmation && input.confirmation.confirmationId !== pending?.id)
        throw failedPrecondition("This change has expired, or was answered already. Ask for it again.", {
          reason: "CONFIRMATION_EXPIRED",
        });
      if (session.messages.length >= MAX_MESSAGES)
        throw failedPrecondition(`The session has ${session.messages.length} messages. Begin a new one.`);
      if (wordsOf(input, pending).text !== "") generation.revise.check(caller.models);
      const documents = await readAttachments(appOfName(session.name), input.attachedGcsUris, deps);
      assertFree(session.name);
      return start(session, input, caller, documents);
    },
    attach: async (name) => {
      await records.get(name);
      const turn = turns.get(name);
      if (turn) return turn;
      throw failedPrecondition("No turn of this session runs here. Send a message.", { reason: "NO_ASSISTANT_TURN" });
    },
    cancel: (session, id) => {
      const turn = running.get(session);
      if (!turn || (id !== "" && id !== turn.id)) return false;
      turn.stop.abort();
      return true;
    },
    suggest: (app, most, models) => suggest(app, most, models, deps),
    close: async () => {
      const left = [...running.values()];
      for (const { stop } of left) stop.abort();
      await Promise.allSettled(left.map(({ outcome }) => outcome));
    },
  };
}

async function suggest(
  app: string,
  most: number,
  models: Parameters<Assistant["suggest"]>[2],
  { resources, generation }: AssistantDeps,
): ReturnType<Assistant["suggest"]> {
  generation.revise.check(models);
  const { tree, assistantRecords: records } = resources;
  const [draft, latest] = await Promise.all([tree.readTree(app), records.latest(app, LATEST)]);
  return {
    suggestions: suggestionsFor(draft, latest, most),
    userProfile: latest.length === 0 ? "NEW_USER" : "RETURNING_USER",
  };
}

function tokenOf({ operation }: AssistantInput): string {
  return operation?.deduplicationToken ?? "";
}

type Documents = Awaited<ReturnType<typeof readAttachments>>;

function inputViolations({ message, confirmation, operation }: AssistantInput) {
  if (message === "" && !confirmation && !operation)
    return [
      { field: "message", description: "Send a message, a confirmation_response or an operation_completed_event." },
    ];
  return [
    ...lengthViolations(message, "message"),
    ...lengthViolations(confirmation?.answerText ?? "", "confirmation_response.answer_text"),
  ];
}

async function createSession(
  { parent, assistantSessionId, assistantSessionMessages: messages }: CreateAssistantSessionRequest,
  author: string,
  { resources, ids, clock }: AssistantDeps,
): Promise<AssistantSession> {
  const violations = [
    ...(assistantSessionId === "" ? [] : resourceIdViolations("assistant_session_id", assistantSessionId)),
    ...seedViolations(messages, "assistant_session_messages"),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  await resources.tree.readTree(parent);
  const name = `${parent}/assistantSessions/${assistantSessionId || ids.uuid()}`;
  const { assistantRecords: records } = resources;
  if (await records.find(name)) throw alreadyExists(name, "ces.googleapis.com/AssistantSession");
  const createTime = timestampFromMs(Math.floor(clock.now()));
  await records.put(create(AssistantSessionSchema, { name, messages, state: "IDLE", requestor: author, createTime }));
  return records.get(name);
}

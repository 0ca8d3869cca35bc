import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ActiveTurnInfoSchema,
  type AssistantMessage,
  type AssistantSession,
  type OperationCompletedEvent,
  SessionCheckpointSchema,
  UserResponseSuggestionsSchema,
} from "@frontdesk/protos/ces/assistant_session";
import type { Revision } from "#generation";
import { Code, ConnectError, cancelled, notFound, toStatusError } from "#status";
import type { AssistantCaller, AssistantDeps, AssistantInput, AssistantOutcome, AssistantState } from "./contract.ts";
import { conversationOf, messageOf, proposalChunk, textChunk } from "./messages.ts";
import type { PendingProposal, Proposals } from "./proposals.ts";
import { sendAnswer } from "./send-answer.ts";
import type { TurnLog } from "./turn-log.ts";

/** What a turn works with. */
interface TurnParts {
  readonly session: AssistantSession;
  readonly input: AssistantInput;
  readonly caller: AssistantCaller;
  readonly documents: readonly { readonly fileName: string; readonly text: string }[];
  readonly proposals: Proposals;
  readonly log: TurnLog;
  readonly signal: AbortSignal;
}

/** What the assistant answers. */
export interface Answer {
  readonly reply: string;
  readonly revision: Revision | undefined;
  /** The change that waits for a person's word. */
  readonly pending: PendingProposal | undefined;
}

/** Runs a turn and tells its events. Its messages are stored before it is told to be complete; a turn that fails stores none (ASST-2). */
export async function runTurn(turn: TurnParts, deps: AssistantDeps): Promise<AssistantOutcome> {
  const { session, log, signal, proposals, input } = turn;
  const { assistantRecords: records } = deps.resources;
  try {
    await records.put(runningSession(turn, deps.clock.now()));
    const answer = await answerTo(turn, deps);
    signal.throwIfAborted();
    const after = sessionAfter(turn, answer, deps.clock.now());
    if (!(await records.find(session.name))) throw notFound(session.name, "ces.googleapis.com/AssistantSession");
    await records.put(after);
    sendAnswer(answer, input, log);
    log.end(answer.pending ? "AWAITING_CONFIRMATION" : "COMPLETED");
    const [message] = after.messages.slice(-1);
    const suggestions = answer.revision?.suggestions ?? [];
    return { message: message as AssistantMessage, suggestions, state: after.state as AssistantState };
  } catch (error) {
    const failure = signal.aborted ? cancelled("The turn was cancelled.") : toStatusError(error);
    if (failure.code === Code.Internal) deps.logger.error({ err: error }, "a turn of the assistant failed");
    if (!(error instanceof ConnectError && error.code === Code.NotFound))
      await records.put({ ...session, activeTurn: undefined, state: stateOf(proposals.of(session.name)) });
    if (!signal.aborted) log.send({ case: "status", value: { code: failure.code, message: failure.rawMessage } });
    log.end(signal.aborted ? "CANCELLED" : "FAILED");
    throw failure;
  }
}

/** What a person says: whether a change is to be stored, and words for the model; "" for none. */
export function wordsOf(
  { message, confirmation, operation }: AssistantInput,
  pending: PendingProposal | undefined,
): { readonly apply: PendingProposal | undefined; readonly text: string } {
  const words = [message, confirmation?.answerText ?? "", operation ? operationText(operation) : ""];
  const text = words.filter(Boolean).join("\n\n");
  const saysApply = !confirmation && text.trim().toLowerCase() === APPLY;
  const isConfirmed = confirmation?.confirmed === true && confirmation.answerText === "";
  if (pending && (saysApply || isConfirmed)) return { apply: pending, text: saysApply ? "" : text };
  return { apply: undefined, text };
}

/** The word by which clients without cards confirm. */
const APPLY = "apply";

function operationText(operation: OperationCompletedEvent): string {
  const { operationName, operationType, status, targetResourceName, error, metadata } = operation;
  const facts = { operationType, status, targetResourceName, error: error?.message, metadata };
  return `The operation ${operationName} has ended: ${JSON.stringify(facts)}`;
}

async function answerTo(turn: TurnParts, deps: AssistantDeps): Promise<Answer> {
  const { session, input, caller, log, proposals } = turn;
  const { apply, text } = wordsOf(input, proposals.of(session.name));
  // Whatever is said to a change, it waits no longer.
  proposals.remove(session.name);
  if (!apply) return text === "" ? { ...NOTHING, reply: "Nothing was changed." } : say(text, turn, deps);
  log.send({ case: "status", value: { message: "Storing the change." } });
  const version = await proposals.apply(apply.proposal, caller.author);
  const stored = `The change is stored. To undo it, restore the version ${version}.`;
  if (text === "") return { ...NOTHING, reply: stored };
  try {
    const answer = await say(text, turn, deps);
    return { ...answer, reply: `${stored}\n\n${answer.reply}` };
  } catch (error) {
    return { ...NOTHING, reply: `${stored}\n\nYour message was not answered: ${toStatusError(error).rawMessage}` };
  }
}

const NOTHING: Answer = { reply: "", revision: undefined, pending: undefined };

/** Has the model answer. */
async function say(text: string, turn: TurnParts, { generation }: AssistantDeps): Promise<Answer> {
  const { session, caller, documents, log, signal, proposals } = turn;
  const conversation = [...conversationOf(session), { role: "user" as const, text }];
  const revision = await generation.revise(
    { app: appOf(session.name), name: session.name, conversation, documents },
    {
      models: caller.models,
      signal,
      progress: async (message) => log.send({ case: "status", value: { message } }),
    },
  );
  signal.throwIfAborted();
  const pending = revision.proposal && proposals.add(session.name, revision.proposal);
  return { reply: revision.reply, revision, pending };
}

function appOf(session: string): string {
  return session.slice(0, session.indexOf("/assistantSessions/"));
}

function runningSession({ session, log }: TurnParts, now: number): AssistantSession {
  const startTime = timestampFromMs(Math.floor(now));
  const activeTurn = create(ActiveTurnInfoSchema, {
    ...{ turnId: log.id, status: "RUNNING", startTime, lastProgressTime: startTime },
  });
  return { ...session, state: "RUNNING", activeTurn };
}

function sessionAfter({ session, input }: TurnParts, answer: Answer, now: number): AssistantSession {
  const { reply, revision, pending } = answer;
  const { message, confirmation, operation, attachedGcsUris } = input;
  const said = message || confirmation?.answerText || (operation ? operationText(operation) : decisionOf(input));
  const chunks = [textChunk(reply), ...(pending ? [proposalChunk(pending)] : [])];
  return {
    ...session,
    displayName: session.displayName || (revision?.intent || said).slice(0, 60),
    messages: [
      ...session.messages,
      messageOf("user", [textChunk(said)], now, attachedGcsUris),
      messageOf("model", chunks, now),
    ],
    state: stateOf(pending),
    activeTurn: undefined,
    userResponseSuggestions: create(UserResponseSuggestionsSchema, {
      suggestions: [...(revision?.suggestions ?? [])],
    }),
    ...(revision?.intent && {
      sessionCheckpoint: create(SessionCheckpointSchema, { userIntent: revision.intent }),
    }),
  };
}

function decisionOf({ confirmation }: AssistantInput): string {
  return confirmation?.confirmed ? APPLY : "not yet";
}

function stateOf(pending: PendingProposal | undefined): AssistantState {
  return pending ? "AWAITING_CONFIRMATION" : "IDLE";
}

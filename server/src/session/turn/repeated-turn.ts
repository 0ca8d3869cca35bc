import { create } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Chunk } from "@frontdesk/protos/ces/example";
import {
  CitationsSchema,
  EndSessionSchema,
  type SessionOutput,
  SessionOutputSchema,
  ToolCallsSchema,
} from "@frontdesk/protos/ces/session_service";
import { invalidArgument } from "#status";
import { toCitations } from "#tools";
import type { TurnEvent, TurnRequest } from "../contract.ts";
import { answerableCalls, readSessionState, type SessionState } from "../state/session-state.ts";
import type { PastTurn, StoredSession } from "../state/stored-sessions.ts";
import { toolIdentifier } from "../tool-calls/function-responses.ts";
import { bytesOutput, type OutputInit } from "./responses.ts";

/** The stored turn that is asked for once more, because its client has lost the answer; undefined for a new one (TURN-81). */
export function findRepeated({ key }: TurnRequest, session: StoredSession | undefined): PastTurn | undefined {
  if (!key || !session) return undefined;
  for (let back = 1; back <= session.turns.length; back++) {
    const turn = session.turns.at(-back);
    if (turn?.key?.name !== key.name) continue;
    if (turn.key.inputs !== key.inputs)
      throw invalidArgument({
        field: "Idempotency-Key",
        description: `'${key.name}' is the key of turn ${turn.index}, whose inputs were others; give each turn a key of its own`,
      });
    return turn;
  }
  return undefined;
}

/** The events of a turn that is stored, made of its record: nothing runs again. */
export function* repeatTurn(
  turn: PastTurn,
  rootSpan: Span,
  session: StoredSession,
  { config }: TurnRequest,
): Generator<TurnEvent, void> {
  const { index: turnIndex, messages } = turn;
  const state = readSessionState(session.head.state);
  const isLast = turnIndex === session.head.turnCount;
  for (const outputType of outputsOf(turn, rootSpan, state, isLast)) {
    yield { kind: "output", output: outputOf(outputType, turnIndex), alreadyStreamed: false };
  }
  const withDiagnostics = !config.excludeDiagnosticInfo;
  yield { kind: "turn-completed", turnIndex, messages, rootSpan, variables: state.variables, withDiagnostics };
}

function outputOf(outputType: OutputInit, turnIndex: number): SessionOutput {
  return create(SessionOutputSchema, { outputType, turnIndex });
}

/** In the order of a turn: what was said, the calls that the client may still answer, sources, the end of the session. */
function* outputsOf(
  { messages }: PastTurn,
  rootSpan: Span,
  state: SessionState,
  isLast: boolean,
): Generator<OutputInit, void> {
  const chunks = messages.filter(({ role }) => role !== "user").flatMap((message) => message.chunks);
  for (const chunk of chunks) {
    const said = saidBy(chunk);
    if (said) yield said;
  }
  const made = new Set(chunks.map(({ data }) => (data.case === "toolCall" ? data.value.id : "")));
  const calls = answerableCalls(state).filter(({ id }) => made.has(id));
  if (calls.length > 0) {
    const toolCalls = calls.map(({ id, name, tool, args }) => ({
      id,
      displayName: name,
      args,
      ...toolIdentifier({ tool }),
    }));
    yield { case: "toolCalls", value: create(ToolCallsSchema, { toolCalls }) };
  }
  const cited = rootSpan.childSpans.find(({ name }) => name === "Citations")?.attributes?.cited;
  // What `citeSources` left in the trace, since a message has no field for it.
  if (cited) yield { case: "citations", value: create(CitationsSchema, toCitations(cited as never)) };
  if (isLast && state.ended) yield { case: "endSession", value: create(EndSessionSchema, { metadata: state.ended }) };
}

function saidBy({ data }: Chunk): OutputInit | undefined {
  switch (data.case) {
    case "text":
    case "payload":
      return data;
    case "blob":
      return bytesOutput(data.value.mimeType, data.value.data);
    default:
      return undefined;
  }
}

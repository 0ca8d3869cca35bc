import { create } from "@bufbuild/protobuf";
import {
  type RunSessionResponse,
  RunSessionResponseSchema,
  type SessionOutput,
  SessionOutput_DiagnosticInfoSchema,
  SessionOutputSchema,
} from "@frontdesk/protos/ces/session_service";
import type { TurnEvent } from "./contract.ts";

/** How the events of a turn become responses. */
export interface FoldOptions {
  /** `SessionConfig.exclude_diagnostic_info`: leaves messages and trace out of the closing output. */
  readonly excludeDiagnosticInfo: boolean;
}

type Completed = Extract<TurnEvent, { kind: "turn-completed" }>;

/** The answer of RunSession: every output of the turn, the last of them marked as its end. */
export async function collectOutputs(
  events: AsyncIterable<TurnEvent>,
  options: FoldOptions,
): Promise<RunSessionResponse> {
  const outputs: SessionOutput[] = [];
  for await (const event of events) {
    if (event.kind === "output") outputs.push(event.output);
    if (event.kind === "turn-completed") outputs.push(complete(outputs.pop(), event, options));
  }
  return create(RunSessionResponseSchema, { outputs });
}

/**
 * The answers of StreamRunSession: each output as soon as it exists, text that was shown in deltas not once more, and at the
 * end an output of its own that says so, because the turn must be stored before that is said.
 */
export async function* toStreamResponses(
  events: AsyncIterable<TurnEvent>,
  options: FoldOptions,
): AsyncGenerator<RunSessionResponse, void> {
  for await (const output of toStreamOutputs(events, options))
    yield create(RunSessionResponseSchema, { outputs: [output] });
}

/** The outputs of a streamed turn, for every streaming wire. */
export async function* toStreamOutputs(
  events: AsyncIterable<TurnEvent>,
  options: FoldOptions,
): AsyncGenerator<SessionOutput, void> {
  for await (const event of events) {
    if (event.kind === "text-delta") yield deltaOutput(event);
    if (event.kind === "output" && !event.alreadyStreamed) yield event.output;
    if (event.kind === "turn-completed") yield complete(undefined, event, options);
  }
}

function deltaOutput({ text, turnIndex }: Extract<TurnEvent, { kind: "text-delta" }>): SessionOutput {
  return create(SessionOutputSchema, { outputType: { case: "text", value: text }, turnIndex });
}

function complete(
  last: SessionOutput | undefined,
  { turnIndex, messages, rootSpan }: Completed,
  options: FoldOptions,
): SessionOutput {
  const diagnosticInfo = options.excludeDiagnosticInfo
    ? undefined
    : create(SessionOutput_DiagnosticInfoSchema, { messages: [...messages], rootSpan });
  return create(SessionOutputSchema, {
    outputType: last?.outputType ?? { case: undefined },
    turnIndex,
    turnCompleted: true,
    ...(diagnosticInfo && { diagnosticInfo }),
  });
}

import { create } from "@bufbuild/protobuf";
import {
  type RunSessionResponse,
  RunSessionResponseSchema,
  type SessionOutput,
  SessionOutput_DiagnosticInfoSchema,
  SessionOutputSchema,
} from "@frontdesk/protos/ces/session_service";
import { flatMapStream } from "#base";
import type { TurnEvent } from "../contract.ts";

type Completed = Extract<TurnEvent, { kind: "turn-completed" }>;

/** The outputs of RunSession's answer: every output of the turn, the last of them marked as its end. */
export async function collectOutputs(events: AsyncIterable<TurnEvent>): Promise<SessionOutput[]> {
  const outputs: SessionOutput[] = [];
  for await (const event of events) {
    if (event.kind === "output") outputs.push(event.output);
    if (event.kind === "progress") outputs.push(progressOutput(event));
    if (event.kind === "turn-completed") outputs.push(complete(outputs.pop(), event));
  }
  return outputs;
}

/**
 * The answers of StreamRunSession: each output as soon as it exists, text that was sent in deltas not once more, and at the
 * end an output of its own, because the turn must be stored before it is reported as complete.
 */
export function toResponses(events: AsyncIterable<TurnEvent>): AsyncIterable<RunSessionResponse> {
  return flatMapStream(events, (event) => streamOutputs(event).map(toResponse));
}

/** The outputs of a streamed turn, for every streaming wire. */
export function toStreamOutputs(events: AsyncIterable<TurnEvent>): AsyncGenerator<SessionOutput, void> {
  return flatMapStream(events, streamOutputs);
}

function streamOutputs(event: TurnEvent): readonly SessionOutput[] {
  switch (event.kind) {
    case "text-delta":
      return [deltaOutput(event)];
    case "progress":
      return [progressOutput(event)];
    case "output":
      return event.alreadyStreamed ? [] : [event.output];
    case "turn-completed":
      return [completedOutput(event)];
    default:
      return [];
  }
}

/** Written out, as is the answer around it: there is one for every few letters, and `create` walks over a schema. */
function deltaOutput({ text, turnIndex }: Extract<TurnEvent, { kind: "text-delta" }>): SessionOutput {
  return {
    $typeName: SessionOutputSchema.typeName,
    outputType: { case: "text", value: text },
    turnIndex,
    turnCompleted: false,
    context: [],
  };
}

function progressOutput({ text, turnIndex }: Extract<TurnEvent, { kind: "progress" }>): SessionOutput {
  return create(SessionOutputSchema, { outputType: { case: "progress", value: text }, turnIndex });
}

function toResponse(output: SessionOutput): RunSessionResponse {
  return { $typeName: RunSessionResponseSchema.typeName, outputs: [output] };
}

/** The output that ends a turn of a stream (SESS-8, SESS-7). */
export function completedOutput(completed: Completed): SessionOutput {
  return complete(undefined, completed);
}

function complete(last: SessionOutput | undefined, completed: Completed): SessionOutput {
  const { turnIndex, messages, rootSpan, withDiagnostics } = completed;
  const outputType = last?.outputType ?? { case: undefined };
  if (!withDiagnostics) return create(SessionOutputSchema, { outputType, turnIndex, turnCompleted: true });
  const diagnosticInfo = create(SessionOutput_DiagnosticInfoSchema, { messages: [...messages], rootSpan });
  return create(SessionOutputSchema, { outputType, turnIndex, turnCompleted: true, diagnosticInfo });
}

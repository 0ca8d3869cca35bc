import type { Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { Refusal } from "../../api/refusal.ts";

/** What the person did: said something, or opened the conversation. */
export type TurnInput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "event"; readonly event: string };

/** One turn as the page knows it: while it runs, the text so far; afterwards, the recorded messages and the trace. */
export interface Turn {
  readonly index: number;
  readonly input: TurnInput;
  readonly status: "running" | "done" | "refused";
  readonly text: string;
  readonly messages: readonly Message[];
  readonly rootSpan?: Span;
  readonly ended: boolean;
  readonly refusal?: Refusal;
}

/** A turn that was just sent. */
export function beginTurn(index: number, input: TurnInput): Turn {
  return { index, input, status: "running", text: "", messages: [], ended: false };
}

/** The turn after one more output of its stream. */
export function withOutput(turn: Turn, output: SessionOutput): Turn {
  const { outputType, turnCompleted, diagnosticInfo } = output;
  const text = outputType.case === "text" ? turn.text + outputType.value : turn.text;
  const ended = turn.ended || outputType.case === "endSession";
  const record = diagnosticInfo && {
    messages: diagnosticInfo.messages,
    ...(diagnosticInfo.rootSpan && { rootSpan: diagnosticInfo.rootSpan }),
  };
  return { ...turn, text, ended, ...record, ...(turnCompleted && { status: "done" as const }) };
}

import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { EvaluationErrorInfo_ErrorType as ErrorType } from "@frontdesk/protos/ces/evaluation";
import type { SessionEngine, TurnRequest } from "#session";
import { Code, toStatusError } from "#status";
import type { NotMeasured } from "../contract.ts";
import { type ObservedTurn, observeTurn } from "./observed-turn.ts";

/** What came of a turn: what was observed, or why nothing was. */
export type TurnOutcome =
  | {
      readonly kind: "observed";
      readonly turn: ObservedTurn /** Whether the session ended. */;
      readonly ended: boolean;
    }
  | { readonly kind: "not-measured"; readonly problem: NotMeasured };

/** Runs a turn whose conversation has the source EVAL, and reads it. A turn that fails has not been measured; a cancelled one rejects. */
export async function runObservedTurn(
  sessions: Pick<SessionEngine, "runTurn">,
  request: Omit<TurnRequest, "source" | "streamText">,
): Promise<TurnOutcome> {
  const { session } = request;
  let ended = false;
  try {
    for await (const event of sessions.runTurn({ ...request, source: Source.EVAL, streamText: false })) {
      if (event.kind === "output" && event.output.outputType.case === "endSession") ended = true;
      if (event.kind !== "turn-completed") continue;
      const conversation = session.replace("/sessions/", "/conversations/");
      return { kind: "observed", turn: observeTurn(conversation, event.messages, event.rootSpan), ended };
    }
    throw new Error(`the turn of ${session} was not completed`);
  } catch (error) {
    request.signal.throwIfAborted();
    const { code, rawMessage } = toStatusError(error);
    const type = code === Code.ResourceExhausted ? ErrorType.QUOTA_EXHAUSTED : ErrorType.RUNTIME_FAILURE;
    return { kind: "not-measured", problem: { type, message: rawMessage, session } };
  }
}

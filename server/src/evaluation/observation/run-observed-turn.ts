import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { EvaluationErrorInfo_ErrorType as ErrorType } from "@frontdesk/protos/ces/evaluation";
import type { TurnRequest } from "#session";
import { Code, logFault, toStatusError } from "#status";
import type { ToolMocks } from "#tools";
import type { CaseDeps, EvaluationCase, NotMeasured } from "../contract.ts";
import { type ObservedTurn, observeTurn } from "./observed-turn.ts";

/** What came of a turn: what was observed, or why nothing was. */
export type TurnOutcome =
  | {
      readonly kind: "observed";
      readonly turn: ObservedTurn;
      /** Whether the session ended. */
      readonly ended: boolean;
    }
  | { readonly kind: "not-measured"; readonly problem: NotMeasured };

/** A turn of a case, without what every turn of it has. */
type CaseTurn = Pick<TurnRequest, "session" | "config" | "inputs"> & { readonly mocks: ToolMocks | undefined };

/**
 * Runs a turn of a case in a conversation of the source EVAL, and reads it. Kept answers stand in for models and other servers. A turn that
 * fails has not been measured; a cancelled one rejects.
 */
export async function runObservedTurn(
  { mocks, ...turn }: CaseTurn,
  { snapshot, answers, signal }: Pick<EvaluationCase, "snapshot" | "answers" | "signal">,
  { sessions, models, logger }: Pick<CaseDeps, "sessions" | "models" | "logger">,
): Promise<TurnOutcome> {
  const { session } = turn;
  let ended = false;
  try {
    const events = sessions.runTurn({
      ...turn,
      snapshot,
      signal,
      models: answers.remember(models),
      toolMocks: answers.mocks(snapshot.snapshot, mocks),
      source: Source.EVAL,
      streamText: false,
    });
    for await (const event of events) {
      if (event.kind === "output" && event.output.outputType.case === "endSession") ended = true;
      if (event.kind !== "turn-completed") continue;
      const conversation = session.replace("/sessions/", "/conversations/");
      const observed = observeTurn(conversation, event.messages, event.rootSpan);
      answers.observe(observed, snapshot.snapshot);
      return { kind: "observed", turn: observed, ended };
    }
    throw new Error(`the turn of ${session} was not completed`);
  } catch (error) {
    signal.throwIfAborted();
    logFault(error, logger, "a turn of an evaluation failed", { session });
    const { code, rawMessage } = toStatusError(error);
    const type = code === Code.ResourceExhausted ? ErrorType.QUOTA_EXHAUSTED : ErrorType.RUNTIME_FAILURE;
    return { kind: "not-measured", problem: { type, message: rawMessage, session } };
  }
}

import { create } from "@bufbuild/protobuf";
import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { EvaluationErrorInfo_ErrorType as ErrorType } from "@frontdesk/protos/ces/evaluation";
import { AudioEncoding, InputAudioConfigSchema, OutputAudioConfigSchema } from "@frontdesk/protos/ces/session_service";
import type { TurnRequest } from "#session";
import { RECOGNIZER_SAMPLE_RATE } from "#speech";
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
  evaluationCase: Pick<EvaluationCase, "app" | "snapshot" | "answers" | "persona" | "settings" | "signal">,
  deps: Pick<CaseDeps, "sessions" | "models" | "spokenTurns" | "logger">,
): Promise<TurnOutcome> {
  const { snapshot, answers, signal } = evaluationCase;
  const { sessions, models, logger } = deps;
  const { session } = turn;
  let ended = false;
  try {
    const said: string[] = [];
    const events = sessions.runTurn({
      ...turn,
      ...(await byVoice(turn, said, evaluationCase, deps)),
      snapshot,
      signal,
      models: answers.remember(models),
      toolMocks: answers.mocks(snapshot.snapshot, mocks),
      source: Source.EVAL,
      streamText: false,
    });
    for await (const event of events) {
      if (event.kind === "output" && event.output.outputType.case === "endSession") ended = true;
      if (event.kind === "output" && event.output.outputType.case === "text") said.push(event.output.outputType.value);
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

const LINEAR16 = { audioEncoding: AudioEncoding.LINEAR16, sampleRateHertz: RECOGNIZER_SAMPLE_RATE };

/** A turn with the user's sound, or in a spoken case the user's texts too, as they were understood. `said`: what the agents say in it. */
async function byVoice(
  { config, inputs }: Pick<CaseTurn, "config" | "inputs">,
  said: readonly string[],
  { app, persona, settings, signal }: Pick<EvaluationCase, "app" | "persona" | "settings" | "signal">,
  { spokenTurns, logger }: Pick<CaseDeps, "spokenTurns" | "logger">,
): Promise<Partial<Pick<TurnRequest, "config" | "inputs" | "voice">>> {
  const { spoken: speaks } = settings;
  const isHeard = inputs.some(({ inputType }) => inputType.case === "audio" || (speaks && inputType.case === "text"));
  if (!speaks && !isHeard) return {};
  const speakers = { app, persona, speaks };
  const heard = await spokenTurns.recognizeUser(inputs, speakers, signal);
  const spokenSpans = async () => {
    if (!speaks) return [];
    try {
      return (await spokenTurns.recognizeAgent(said, speakers, signal)).spans;
    } catch (error) {
      // The turn is worth keeping: what was said is known, and only the similarity of sound is not measured.
      signal.throwIfAborted();
      logger.warn({ err: error }, "an answer could not be spoken and heard");
      return [];
    }
  };
  return {
    config: {
      ...config,
      inputAudioConfig: create(InputAudioConfigSchema, LINEAR16),
      outputAudioConfig: create(OutputAudioConfigSchema, LINEAR16),
    },
    inputs: heard.content,
    voice: { spoken: isHeard, spans: heard.spans, spokenSpans },
  };
}

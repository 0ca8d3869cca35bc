import {
  type ErrorHandlingSettings_EndSessionConfig,
  type ErrorHandlingSettings_FallbackResponseConfig,
  ErrorHandlingSettings_ErrorHandlingStrategy as Strategy,
} from "@frontdesk/protos/ces/app";
import type { TurnEvent } from "./contract.ts";
import type { ModelFailure } from "./model-failure.ts";
import { say } from "./say.ts";
import type { NextStep, TurnRun } from "./turn-run.ts";

/** What a user hears when the app asks for a fallback and has no words of its own for it. */
const FALLBACK_MESSAGE = "Sorry, something went wrong on our side. Please try again.";

/**
 * What the app wants when a model fails (`App.error_handling_settings`, ces-runtime 2.13). Without settings the refusal goes
 * to the client and nothing of the turn is kept; otherwise the turn ends well and is stored.
 */
export async function* handleFailure(turn: TurnRun, failure: ModelFailure): AsyncGenerator<TurnEvent, NextStep> {
  const settings = turn.index.app.errorHandlingSettings;
  const { logger } = turn.engine;
  switch (settings?.errorHandlingStrategy) {
    case Strategy.FALLBACK_RESPONSE:
      logger.warn(
        { session: turn.request.session, reason: failure.reason, err: failure.refusal },
        "answered with a fallback",
      );
      return yield* fallBack(turn, failure, settings.fallbackResponseConfig);
    case Strategy.END_SESSION:
      logger.warn({ session: turn.request.session, reason: failure.reason, err: failure.refusal }, "ended the session");
      return endSession(failure, settings.endSessionConfig);
    default:
      throw failure.refusal;
  }
}

/** The app's words in its language; after `max_fallback_attempts` in a row the session ends. Zero means no end. */
async function* fallBack(
  turn: TurnRun,
  failure: ModelFailure,
  config: ErrorHandlingSettings_FallbackResponseConfig | undefined,
): AsyncGenerator<TurnEvent, NextStep> {
  const most = config?.maxFallbackAttempts ?? 0;
  if (most > 0 && turn.fallbacks >= most) return endSession(failure, undefined);
  turn.fallbacks += 1;
  const messages = config?.customFallbackMessages ?? {};
  const text = messages[turn.index.languageCode] ?? Object.values(messages)[0] ?? FALLBACK_MESSAGE;
  yield* say(turn, [{ kind: "text", text }]);
  return { kind: "respond" };
}

function endSession(failure: ModelFailure, config: ErrorHandlingSettings_EndSessionConfig | undefined): NextStep {
  return {
    kind: "end-session",
    metadata: { reason: failure.reason, session_escalated: config?.escalateSession ?? false },
  };
}

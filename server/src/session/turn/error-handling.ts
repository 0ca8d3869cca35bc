import {
  type ErrorHandlingSettings,
  type ErrorHandlingSettings_EndSessionConfig,
  ErrorHandlingSettings_ErrorHandlingStrategy as Strategy,
} from "@frontdesk/protos/ces/app";
import { languageRoot } from "#base";
import type { TurnEvent } from "../contract.ts";
import type { ModelFailure } from "../model-call/model-failure.ts";
import type { NextStep, Turn } from "./turn-context.ts";

/** What a failure of the model needs of its turn. */
type FailedTurn = Pick<Turn, "request" | "index" | "state" | "events" | "spans"> & {
  readonly engine: Pick<Turn["engine"], "logger">;
};

/** What a user gets when the app asks for a fallback and has no words of its own for it. */
const FALLBACK_MESSAGE = "Sorry, something went wrong on our side. Please try again.";

/**
 * Handles a failure of the model as the app has set it (`App.error_handling_settings`, TURN-29). Without settings the error goes
 * to the client and nothing of the turn is stored; otherwise the turn ends normally and is stored.
 */
export async function* handleModelFailure(
  turn: FailedTurn,
  failure: ModelFailure,
): AsyncGenerator<TurnEvent, NextStep> {
  const settings = turn.index.app.errorHandlingSettings;
  const { logger } = turn.engine;
  switch (settings?.errorHandlingStrategy) {
    case Strategy.FALLBACK_RESPONSE:
      logger.warn(
        { session: turn.request.session, reason: failure.reason, err: failure.statusError },
        "answered with a fallback",
      );
      return yield* fallBack(turn, failure, settings);
    case Strategy.END_SESSION:
      logger.warn(
        { session: turn.request.session, reason: failure.reason, err: failure.statusError },
        "ended the session",
      );
      return endSession(turn, failure, settings.endSessionConfig);
    default:
      throw failure.statusError;
  }
}

/**
 * The app's words in its language (TURN-30); after `max_fallback_attempts` in a row, over turns, the session ends. Zero means no end. An
 * answer in between starts the count anew.
 */
function* fallBack(
  turn: FailedTurn,
  failure: ModelFailure,
  { fallbackResponseConfig, endSessionConfig }: ErrorHandlingSettings,
): Generator<TurnEvent, NextStep> {
  const most = fallbackResponseConfig?.maxFallbackAttempts ?? 0;
  if (most > 0 && turn.state.fallbacks >= most) return endSession(turn, failure, endSessionConfig);
  turn.state.countFallback();
  turn.spans.warn(`The app's fallback was sent in place of an answer (${failure.reason}): ${failure.message}`);
  const messages = fallbackResponseConfig?.customFallbackMessages ?? {};
  yield* turn.events.respond([{ kind: "text", text: messageFor(turn.index.languageCode, messages) }]);
  return { kind: "respond" };
}

/** The message of the language, of its root (`en` for `en-GB`), of another region (`en-US`), else the first there is. Case does not count. */
function messageFor(language: string, messages: Readonly<Record<string, string>>): string {
  const entries = Object.entries(messages).map(([code, text]) => [code.toLowerCase(), text] as const);
  const code = language.toLowerCase();
  const find = (fits: (candidate: string) => boolean) => entries.find(([candidate]) => fits(candidate))?.[1];
  return (
    find((candidate) => candidate === code) ??
    find((candidate) => candidate === languageRoot(code)) ??
    find((candidate) => languageRoot(candidate) === languageRoot(code)) ??
    entries[0]?.[1] ??
    FALLBACK_MESSAGE
  );
}

/** The end of the session, escalated as the app has set it (TURN-31). */
function endSession(
  turn: FailedTurn,
  failure: ModelFailure,
  config: ErrorHandlingSettings_EndSessionConfig | undefined,
): NextStep {
  turn.spans.warn(`The app ended the session because no answer came (${failure.reason}): ${failure.message}`);
  return {
    kind: "end-session",
    metadata: { reason: failure.reason, session_escalated: config?.escalateSession ?? false },
  };
}

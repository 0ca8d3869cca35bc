import type { BidiSessionClientMessage, SessionConfig, SessionInput } from "@frontdesk/protos/ces/session_service";
import { failedPrecondition, invalidArgument } from "#status";
import type { TurnEvent } from "../contract.ts";
import type { VoiceTurn } from "../turn/voice-turn.ts";
import type { Line, LiveRequest, Unprompted } from "./contract.ts";
import { detached } from "./detached.ts";
import { type Drain, serverStopping } from "./drain.ts";
import { Ear, type HeardSource } from "./ear.ts";
import type { LiveCapabilities } from "./live-sessions.ts";

/**
 * Waits for the config, which must come first, and checks that there is something to talk to. Says nothing: the agent speaks
 * when it is spoken to (ces-runtime 7.4).
 */
export async function openLine(
  messages: AsyncIterable<BidiSessionClientMessage>,
  request: LiveRequest,
  live: LiveCapabilities,
): Promise<Line> {
  const { limits, engine, unprompted, drain } = live;
  const { admit, snapshot, source, traceparent, signal } = request;
  const ear = new Ear(messages, signal);
  const draining = drainSource(drain);
  const config = admit(await firstConfig(ear, limits.configMs, draining));
  await snapshot(config);
  const sources = [draining, unpromptedSource(unprompted, config.session)];
  async function* turn(
    inputs: readonly SessionInput[],
    stop: AbortSignal,
    voice?: VoiceTurn,
  ): AsyncGenerator<TurnEvent, void> {
    yield* engine.runTurn({
      session: config.session,
      config,
      inputs,
      snapshot: await snapshot(config),
      source,
      traceparent,
      streamText: config.enableTextStreaming && !voice,
      voice,
      signal: stop,
    });
  }
  return {
    config,
    signal,
    limits,
    hear: ({ idleMs = limits.idleMs, leaving = false } = {}) => ear.hear(idleMs, leaving ? [] : sources),
    runTurn: (inputs) => detached((stop) => turn(inputs, stop), signal),
    speakTurn: (inputs, voice, stop) => turn(inputs, stop, voice),
    snapshot: () => snapshot(config),
  };
}

async function firstConfig(ear: Ear, configMs: number, draining: HeardSource): Promise<SessionConfig> {
  const first = await ear.message(configMs, [draining]);
  if (first === "woken") throw serverStopping();
  if (first === "late") {
    throw failedPrecondition(
      `No config came within ${configMs / 1_000} seconds. The first message must be the config.`,
      {
        reason: "CONFIG_MISSING",
      },
    );
  }
  if (first?.messageType.case === "config") return first.messageType.value;
  throw invalidArgument({ field: "config", description: "the first message of the stream must be the config" });
}

function drainSource(drain: Drain): HeardSource {
  return {
    subscribe: (wake) => drain.subscribe(wake),
    take: () => (drain.begun ? { kind: "draining" } : undefined),
  };
}

function unpromptedSource(unprompted: Unprompted, session: string): HeardSource {
  return {
    subscribe: (wake) => unprompted.subscribe(session, wake),
    take: () => {
      const inputs = unprompted.take(session);
      return inputs && { kind: "unprompted", inputs };
    },
  };
}

import type { BidiSessionClientMessage, SessionConfig, SessionInput } from "@frontdesk/protos/ces/session_service";
import { failedPrecondition, invalidArgument } from "#status";
import type { TurnEvent, Unprompted, VoiceTurn } from "../contract.ts";
import { runDetached, runUnlessAbandoned } from "../detached-turn.ts";
import type { LiveConnection, LiveDeps, LiveLimits, LiveRequest } from "./contract.ts";
import { type DrainSignal, serverStopping } from "./drain-signal.ts";
import { type InputSource, StreamInputReader } from "./stream-input-reader.ts";

/** The dependencies with their defaults, and what all conversations share. */
export interface LiveRuntime extends Required<Omit<LiveDeps, "limits" | "voice">> {
  readonly limits: LiveLimits;
  readonly drain: DrainSignal;
}

/**
 * Waits for the config message, which must come first, and resolves the snapshot. Sends nothing: the agent answers
 * the first input (SESS-11, SESS-12).
 */
export async function openConnection(
  messages: AsyncIterable<BidiSessionClientMessage>,
  request: LiveRequest,
  live: LiveRuntime,
): Promise<LiveConnection> {
  const { limits, engine, unprompted, drain } = live;
  const { admit, snapshot, sender, traceparent, signal, closesWhole = false } = request;
  const reader = new StreamInputReader(messages, signal);
  const draining = drainSource(drain);
  const { config, source } = await admit(await firstConfig(reader, limits.configMs, draining));
  await snapshot(config);
  const sources = [draining, unpromptedSource(unprompted, config.session)];
  async function* turn(
    inputs: readonly SessionInput[],
    { stop, voice, onActed }: { stop: AbortSignal; voice?: VoiceTurn; onActed: () => void },
  ): AsyncGenerator<TurnEvent, void> {
    yield* engine.runTurn({
      session: config.session,
      config,
      inputs,
      snapshot: await snapshot(config),
      source,
      sender,
      traceparent,
      // A client of audio gets whole texts, and the first sentence is spoken while the next is written.
      streamText: voice ? config.outputAudioConfig !== undefined : config.enableTextStreaming,
      onStream: true,
      voice,
      onActed,
      signal: stop,
    });
  }
  return {
    config,
    signal,
    limits,
    closesWhole,
    nextInput: ({ idleMs = limits.idleMs, goAwaySent = false } = {}) =>
      reader.nextInput(idleMs, goAwaySent ? [] : sources),
    runTurn: (inputs) => runDetached((stop, onActed) => turn(inputs, { stop, onActed }), signal),
    runVoiceTurn: (inputs, voice, left) =>
      runUnlessAbandoned((stop, onActed) => turn(inputs, { stop, voice, onActed }), left),
    halfClosed: (timeoutMs) => reader.halfClosed(timeoutMs, draining),
    snapshot: () => snapshot(config),
  };
}

async function firstConfig(reader: StreamInputReader, configMs: number, draining: InputSource): Promise<SessionConfig> {
  const first = await reader.message(configMs, [draining]);
  if (first === "woken") throw serverStopping();
  if (first === "timeout") {
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

function drainSource(drain: DrainSignal): InputSource {
  return {
    subscribe: (wake) => drain.subscribe(wake),
    take: () => (drain.begun ? { kind: "draining" } : undefined),
  };
}

function unpromptedSource(unprompted: Unprompted, session: string): InputSource {
  return {
    subscribe: (wake) => unprompted.subscribe(session, wake),
    take: () => {
      const inputs = unprompted.take(session);
      return inputs && { kind: "unprompted", inputs };
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { AsyncQueue } from "#base";
import { Code, ConnectError } from "#status";
import type { Samples } from "./audio/samples.ts";
import type { SpeechToText, TextToSpeech } from "./contract.ts";

/** Pause before the second try (TURN-57), milliseconds. */
const PAUSE_MS = 250;
/** A provider that took longer to fail is not tried again, milliseconds: nobody waits in silence for that long twice. */
const MAX_FAILED_MS = 5_000;

/** Recognizes an utterance a second time, from its beginning, when the provider failed for a moment: no call ends because one connection was lost. */
export function withSecondRecognition<Provider extends SpeechToText>(provider: Provider): Provider {
  return {
    ...provider,
    async *recognize(audio, request) {
      const heard = replayable(audio);
      try {
        return yield* provider.recognize(heard.fromStart(), request);
      } catch (error) {
        if (!isMomentary(error, heard.msSinceEnd())) throw error;
      }
      await sleep(PAUSE_MS, undefined, { signal: request.signal });
      yield* provider.recognize(heard.fromStart(), request);
    },
  };
}

/** Speaks a text a second time when the provider failed for a moment before it said anything. */
export function withSecondSynthesis(provider: TextToSpeech): TextToSpeech {
  return {
    ...provider,
    async *synthesize(text, request) {
      const startedAt = performance.now();
      let isAudible = false;
      try {
        for await (const chunk of provider.synthesize(text, request)) {
          isAudible = true;
          yield chunk;
        }
        return;
      } catch (error) {
        if (isAudible || !isMomentary(error, performance.now() - startedAt)) throw error;
      }
      await sleep(PAUSE_MS, undefined, { signal: request.signal });
      yield* provider.synthesize(text, request);
    },
  };
}

function isMomentary(error: unknown, failedMs: number): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && failedMs <= MAX_FAILED_MS;
}

/** Audio that can be read again from its start while it still comes. */
function replayable(audio: AsyncIterable<Samples>) {
  const pieces: Samples[] = [];
  const readers = new Set<AsyncQueue<Samples>>();
  let endedAt: number | undefined;
  const pump = async (): Promise<void> => {
    for await (const piece of audio) {
      pieces.push(piece);
      for (const reader of readers) reader.push(piece);
    }
    endedAt = performance.now();
    for (const reader of readers) reader.end();
  };
  pump().catch((error: unknown) => {
    for (const reader of readers) reader.fail(error);
  });
  return {
    fromStart(): AsyncIterable<Samples> {
      const reader = new AsyncQueue<Samples>(() => readers.delete(reader));
      for (const piece of pieces) reader.push(piece);
      if (endedAt === undefined) readers.add(reader);
      else reader.end();
      return reader;
    },
    /** Milliseconds since the audio ended; 0 while it still comes. */
    msSinceEnd: () => (endedAt === undefined ? 0 : performance.now() - endedAt),
  };
}

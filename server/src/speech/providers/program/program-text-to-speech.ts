import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { finished, type Readable } from "node:stream";
import { AsyncQueue, Semaphore } from "#base";
import { readWavStream, WavError } from "../../audio/wav.ts";
import type { SynthesizeRequest, TextToSpeech } from "../../contract.ts";
import { providerVoice } from "../../provider-voice.ts";
import type { ProgramConfig, VoiceMapping } from "../../speech-config.ts";
import { errorMessage, speechUnavailable } from "../../speech-errors.ts";
import { startResponseTimeout } from "../response-timeout.ts";

/** Processes at the same time, for each processor: a good voice takes hundreds of megabytes, and is made faster than it is heard. */
const PROCESSES_PER_PROCESSOR = 2;
/** Words per minute at speaking rate 1. */
const WORDS_PER_MINUTE = 175;

/**
 * Text to speech by a program of the operator's, without network: text on its standard input, a WAV file on its standard
 * output. It is started without a shell, and the text is never an argument. Twice as many run at the same time as there are processors; others wait.
 */
export function createProgramTextToSpeech({ command, args, ...names }: ProgramConfig & VoiceMapping): TextToSpeech {
  const label = `program/${command.slice(command.lastIndexOf("/") + 1)}`;
  const places = new Semaphore(PROCESSES_PER_PROCESSOR * availableParallelism());
  return {
    label,
    async *synthesize(text, request) {
      const filled = args.map((argument) => fill(argument, request, names));
      const leave = await places.acquire(request.signal);
      const timeout = startResponseTimeout();
      const signal = AbortSignal.any([request.signal, timeout.signal]);
      // It has nothing to save, and may not listen to politer signals.
      const child = spawn(command, filled, { stdio: ["pipe", "pipe", "pipe"], signal, killSignal: "SIGKILL" });
      const ended = Promise.withResolvers<number | null>();
      let stderrTail = "";
      child.on("error", ended.reject);
      child.on("close", (code) => ended.resolve(code));
      child.stderr.on("data", (chunk: Buffer) => {
        stderrTail = (stderrTail + chunk.toString()).slice(-300);
      });
      child.stdin.on("error", () => {}); // An early exit is reported by the exit code.
      child.stdin.end(text);
      // Awaited below, unless the reader returns first.
      ended.promise.then(leave, leave);
      try {
        yield* readWavStream(timeout.watch(outputOf(child.stdout)));
        const code = await ended.promise;
        if (code !== 0) throw new Error(`it ended with ${code}, ${stderrTail.trim()}`);
      } catch (error) {
        request.signal.throwIfAborted();
        if (timeout.signal.aborted) throw speechUnavailable(label, errorMessage(timeout.signal.reason));
        const why =
          error instanceof WavError
            ? await ended.promise.then(() => stderrTail.trim() || error.message, errorMessage)
            : errorMessage(error);
        throw speechUnavailable(label, why);
      } finally {
        timeout.clear();
        child.kill("SIGKILL");
      }
    },
  };
}

/** What a program writes, read as it comes: a process that waited until a sentence was played would keep its place for so long. */
function outputOf(stdout: Readable): AsyncIterable<Buffer> {
  const pieces = new AsyncQueue<Buffer>();
  stdout.on("data", (piece: Buffer) => pieces.push(piece));
  finished(stdout, (error) => (error ? pieces.fail(error) : pieces.end()));
  return pieces;
}

/** The language comes from the app. Anything that is no language tag, such as a path or a flag, is replaced. */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

function fill(argument: string, request: SynthesizeRequest, names: VoiceMapping): string {
  const language = LANGUAGE.test(request.language) ? request.language.toLowerCase() : "en-us";
  const values: Readonly<Record<string, string>> = {
    language,
    voice: providerVoice(request, names) || language,
    wordsPerMinute: String(Math.round(WORDS_PER_MINUTE * request.speakingRate)),
  };
  return argument.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

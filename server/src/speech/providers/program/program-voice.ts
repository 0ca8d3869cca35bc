import { spawn } from "node:child_process";
import { readWavStream, WavError } from "../../audio/wav.ts";
import type { SpeakRequest, TextToSpeech } from "../../contract.ts";
import type { ProgramConfig, VoiceNames } from "../../speech-config.ts";
import { reasonOf, speechFailure } from "../../speech-failure.ts";
import { voiceName } from "../../voice-name.ts";

/** The speed that programs call 1, in words a minute. */
const WORDS_PER_MINUTE = 175;

/**
 * Text to speech by a program of the operator's, without network: text on its standard input, a WAV file on its standard
 * output. No shell stands between, and the text is never an argument.
 */
export function createProgramVoice({ command, args, ...names }: ProgramConfig & VoiceNames): TextToSpeech {
  const label = `program/${command.slice(command.lastIndexOf("/") + 1)}`;
  return {
    label,
    async *synthesise(text, request) {
      request.signal.throwIfAborted();
      const filled = args.map((argument) => fill(argument, request, names));
      const child = spawn(command, filled, { stdio: ["pipe", "pipe", "pipe"], signal: request.signal });
      const ended = Promise.withResolvers<number | null>();
      let complaint = "";
      child.on("error", ended.reject);
      child.on("close", (code) => ended.resolve(code));
      child.stderr.on("data", (chunk: Buffer) => {
        complaint = (complaint + chunk.toString()).slice(-300);
      });
      child.stdin.on("error", () => {}); // A program that ends early is told by its exit.
      child.stdin.end(text);
      ended.promise.catch(() => {}); // Awaited below, unless the reader leaves first.
      try {
        yield* readWavStream(child.stdout);
        const code = await ended.promise;
        if (code !== 0) throw new Error(`it ended with ${code}, ${complaint.trim()}`);
      } catch (error) {
        request.signal.throwIfAborted();
        const why =
          error instanceof WavError
            ? await ended.promise.then(() => complaint.trim() || error.message, reasonOf)
            : reasonOf(error);
        throw speechFailure(label, why);
      } finally {
        child.kill();
      }
    },
  };
}

/** The language comes from the app. Anything else, such as a path or a flag, is no business of the program's. */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

function fill(argument: string, request: SpeakRequest, names: VoiceNames): string {
  const language = LANGUAGE.test(request.language) ? request.language.toLowerCase() : "en-us";
  const values: Readonly<Record<string, string>> = {
    language,
    voice: voiceName(request, names) || language,
    wordsPerMinute: String(Math.round(WORDS_PER_MINUTE * request.speakingRate)),
  };
  return argument.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

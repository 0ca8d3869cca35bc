import { isJsonObject } from "#base";
import { createDecoder } from "../../audio/codec.ts";
import type { TextToSpeech } from "../../contract.ts";
import { providerVoice } from "../../provider-voice.ts";
import type { HttpAccess, VoiceMapping } from "../../speech-config.ts";
import { errorMessage, speechUnavailable } from "../../speech-errors.ts";
import { startResponseTimeout } from "../response-timeout.ts";
import { openSocket, readJsonFrame } from "../web-socket.ts";

const RATE = 24_000;
const DEFAULT_VOICE = "aura-2-thalia-en";

/**
 * Text to speech over Deepgram's WebSocket (`/v1/speak`): `Speak` and `Flush` out, 16-bit audio in, `Flushed` at its end. A
 * voice is a model there. It has no speed.
 */
export function createDeepgramTextToSpeech({ baseUrl, apiKey, ...names }: HttpAccess & VoiceMapping): TextToSpeech {
  const label = "deepgram/speak";
  return {
    label,
    async *synthesize(text, { voice, signal }) {
      const url = new URL(`${baseUrl.replace(/^http/, "ws")}/v1/speak`);
      url.searchParams.set("model", providerVoice({ voice }, names) || DEFAULT_VOICE);
      url.searchParams.set("encoding", "linear16");
      url.searchParams.set("sample_rate", String(RATE));
      const headers: Record<string, string> = apiKey === "" ? {} : { Authorization: `Token ${apiKey}` };
      const timeout = startResponseTimeout();
      const either = AbortSignal.any([signal, timeout.signal]);
      const socket = await openSocket({ label, url: url.href, headers, secrets: [apiKey], signal: either });
      const decode = createDecoder("LINEAR16");
      try {
        await socket.send(JSON.stringify({ type: "Speak", text }));
        await socket.send(JSON.stringify({ type: "Flush" }));
        for await (const frame of timeout.watch(socket.frames)) {
          if ("bytes" in frame) yield { samples: decode(frame.bytes), rate: RATE };
          else if (isEnd(frame.text, label)) return;
        }
        throw speechUnavailable(label, "it closed before the text was said");
      } catch (error) {
        signal.throwIfAborted();
        if (timeout.signal.aborted) throw speechUnavailable(label, errorMessage(timeout.signal.reason));
        throw error;
      } finally {
        timeout.clear();
        await socket.send(JSON.stringify({ type: "Close" }));
        socket.close();
      }
    },
  };
}

function isEnd(text: string, label: string): boolean {
  const message = readJsonFrame(text, label);
  if (!isJsonObject(message)) return false;
  if (message.type === "Error")
    throw speechUnavailable(label, String(message.description ?? message.err_msg ?? "an error"));
  return message.type === "Flushed";
}

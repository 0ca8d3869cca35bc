import { isJsonObject } from "#base";
import { toLinear16 } from "../../audio/samples.ts";
import { RECOGNIZER_SAMPLE_RATE, type RecognitionResult, type SpeechToText } from "../../contract.ts";
import type { HttpAccess } from "../../speech-config.ts";
import { speechUnavailable } from "../../speech-errors.ts";
import { openSocket, readJsonFrame, type SpeechSocket } from "../web-socket.ts";

/** Models that tell languages apart, within one utterance, too. */
const MULTILINGUAL_MODELS = /^nova-3(?:-general)?$/;

/**
 * Speech to text over Deepgram's WebSocket (`/v1/listen`), which other servers speak as well: 16-bit audio out, JSON
 * messages of type `Results` in, `CloseStream` when the utterance is over. Each message covers a stretch of the audio;
 * stretches that are final are joined.
 */
export function createDeepgramSpeechToText({
  baseUrl,
  apiKey,
  model,
}: HttpAccess & { readonly model: string }): SpeechToText {
  const label = `deepgram/${model}`;
  return {
    label,
    async *recognize(audio, { language, otherLanguages = [], signal }) {
      const stop = new AbortController();
      const both = AbortSignal.any([signal, stop.signal]);
      const isMultilingual = otherLanguages.length > 0 && MULTILINGUAL_MODELS.test(model);
      const url = listenUrl(baseUrl, model, isMultilingual ? "multi" : language);
      const headers: Record<string, string> = apiKey === "" ? {} : { Authorization: `Token ${apiKey}` };
      const socket = await openSocket({ label, url, headers, secrets: [apiKey], signal: both });
      const sending = sendAll(socket, audio).catch((error: unknown) => stop.abort(error));
      try {
        yield* results(socket, label);
        await sending;
        both.throwIfAborted();
      } catch (error) {
        both.throwIfAborted();
        throw error;
      } finally {
        socket.close();
      }
    },
  };
}

function listenUrl(baseUrl: string, model: string, language: string): string {
  const url = new URL(`${baseUrl.replace(/^http/, "ws")}/v1/listen`);
  const parameters = {
    model,
    encoding: "linear16",
    sample_rate: String(RECOGNIZER_SAMPLE_RATE),
    channels: "1",
    interim_results: "true",
    punctuate: "true",
    ...(language !== "" && { language }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

async function sendAll(socket: SpeechSocket, audio: Parameters<SpeechToText["recognize"]>[0]): Promise<void> {
  for await (const samples of audio) await socket.send(toLinear16(samples));
  await socket.send(JSON.stringify({ type: "CloseStream" }));
}

async function* results({ frames }: SpeechSocket, label: string): AsyncGenerator<RecognitionResult, void> {
  let settled = "";
  for await (const frame of frames) {
    if (!("text" in frame)) continue;
    const message = readJsonFrame(frame.text, label);
    if (!isJsonObject(message)) continue;
    if (message.type === "Error")
      throw speechUnavailable(label, String(message.description ?? message.message ?? "an error"));
    if (message.type !== "Results") continue;
    const text = transcriptOf(message.channel);
    const transcript = [settled, text].filter(Boolean).join(" ");
    const final = message.is_final === true;
    if (final) settled = transcript;
    if (text !== "") yield { transcript, final };
  }
}

function transcriptOf(channel: unknown): string {
  const alternatives = isJsonObject(channel) ? channel.alternatives : undefined;
  const [best] = Array.isArray(alternatives) ? alternatives : [];
  return isJsonObject(best) && typeof best.transcript === "string" ? best.transcript.trim() : "";
}

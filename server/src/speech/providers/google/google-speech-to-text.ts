import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import {
  RecognitionConfig_AudioEncoding,
  Speech,
  type StreamingRecognizeRequest,
  StreamingRecognizeRequestSchema,
  type StreamingRecognizeResponse,
} from "@frontdesk/protos/google/cloud/speech/v1/cloud_speech";
import { Code, ConnectError } from "#status";
import { type Samples, toLinear16 } from "../../audio/samples.ts";
import { RECOGNIZER_SAMPLE_RATE, type RecognitionResult, type SpeechToText } from "../../contract.ts";
import type { GoogleAccess } from "../../speech-config.ts";
import { speechCallRejected, speechUnavailable } from "../../speech-errors.ts";
import { createGoogleHeaders } from "./google-headers.ts";

/** Speech to text over its own connection. */
interface GoogleSpeechToText extends SpeechToText {
  close(): void;
}

/** Google Cloud requires a language; this one is used when the app names none. */
const DEFAULT_LANGUAGE = "en-US";
/** More are an error there. */
const MAX_OTHER_LANGUAGES = 3;

/** Speech to text by Google Cloud's `StreamingRecognize` over gRPC: one call an utterance, on one connection. */
export function createGoogleSpeechToText({
  baseUrl,
  apiKey,
  model,
}: GoogleAccess & { readonly model: string }): GoogleSpeechToText {
  const label = `google/${model}`;
  const headersOf = createGoogleHeaders(apiKey, label);
  const sessionManager = new Http2SessionManager(baseUrl);
  const client = createClient(Speech, createGrpcTransport({ baseUrl, sessionManager }));
  return {
    label,
    close: () => sessionManager.abort(),
    async *recognize(audio, { language, otherLanguages = [], signal }) {
      const headers = await headersOf();
      try {
        const requests = requestsOf(audio, model, [language || DEFAULT_LANGUAGE, ...otherLanguages]);
        yield* results(client.streamingRecognize(requests, { headers: { ...headers }, signal }), label);
      } catch (error) {
        signal.throwIfAborted();
        throw toSpeechError(error, label, apiKey);
      }
    },
  };
}

async function* requestsOf(
  audio: AsyncIterable<Samples>,
  model: string,
  [languageCode = DEFAULT_LANGUAGE, ...others]: readonly string[],
): AsyncGenerator<StreamingRecognizeRequest, void> {
  const config = {
    encoding: RecognitionConfig_AudioEncoding.LINEAR16,
    sampleRateHertz: RECOGNIZER_SAMPLE_RATE,
    languageCode,
    alternativeLanguageCodes: others.slice(0, MAX_OTHER_LANGUAGES),
    model,
    enableAutomaticPunctuation: true,
  };
  const value = { config, interimResults: true };
  yield create(StreamingRecognizeRequestSchema, { streamingRequest: { case: "streamingConfig", value } });
  for await (const samples of audio) {
    const content = toLinear16(samples);
    yield create(StreamingRecognizeRequestSchema, { streamingRequest: { case: "audioContent", value: content } });
  }
}

/** Each response has the interim results in order; a final result comes once. */
async function* results(
  responses: AsyncIterable<StreamingRecognizeResponse>,
  label: string,
): AsyncGenerator<RecognitionResult, void> {
  let settled = "";
  for await (const { results: stretches, error } of responses) {
    if (error && error.code !== 0) throw speechUnavailable(label, error.message);
    let open = "";
    for (const { alternatives, isFinal } of stretches) {
      const text = alternatives[0]?.transcript.trim() ?? "";
      if (isFinal) settled = join(settled, text);
      else open = join(open, text);
    }
    const transcript = join(settled, open);
    if (transcript !== "") yield { transcript, final: open === "" };
  }
}

function join(one: string, other: string): string {
  return [one, other].filter(Boolean).join(" ");
}

const CALLER_ERRORS: ReadonlySet<Code> = new Set([
  ...[Code.InvalidArgument, Code.Unauthenticated, Code.PermissionDenied, Code.NotFound, Code.FailedPrecondition],
]);

function toSpeechError(error: unknown, label: string, apiKey: string): ConnectError {
  const connectError = ConnectError.from(error);
  const make = CALLER_ERRORS.has(connectError.code) ? speechCallRejected : speechUnavailable;
  return make(label, connectError.rawMessage, [apiKey]);
}

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
import { RECOGNISER_RATE, type Recognised, type SpeechToText } from "../../contract.ts";
import type { GoogleAccess } from "../../speech-config.ts";
import { speechFailure, speechRefused } from "../../speech-failure.ts";
import { createGoogleHeaders } from "./google-credentials.ts";

/** A recogniser with a connection of its own. */
export interface GoogleRecogniser extends SpeechToText {
  close(): void;
}

/** Google Cloud wants a language; this is taken when the app names none. */
const USUAL_LANGUAGE = "en-US";

/** Speech to text by Google Cloud's `StreamingRecognize` over gRPC: one call an utterance, on one connection. */
export function createGoogleRecogniser({
  baseUrl,
  apiKey,
  model,
}: GoogleAccess & { readonly model: string }): GoogleRecogniser {
  const label = `google/${model}`;
  const headersOf = createGoogleHeaders(apiKey, label);
  const sessionManager = new Http2SessionManager(baseUrl);
  const client = createClient(Speech, createGrpcTransport({ baseUrl, sessionManager }));
  return {
    label,
    close: () => sessionManager.abort(),
    async *recognise(audio, { language, signal }) {
      const headers = await headersOf();
      try {
        const requests = requestsOf(audio, model, language || USUAL_LANGUAGE);
        yield* results(client.streamingRecognize(requests, { headers: { ...headers }, signal }), label);
      } catch (error) {
        signal.throwIfAborted();
        throw asRefusal(error, label, apiKey);
      }
    },
  };
}

async function* requestsOf(
  audio: AsyncIterable<Samples>,
  model: string,
  languageCode: string,
): AsyncGenerator<StreamingRecognizeRequest, void> {
  const config = {
    encoding: RecognitionConfig_AudioEncoding.LINEAR16,
    sampleRateHertz: RECOGNISER_RATE,
    languageCode,
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

/** Each answer has the stretches that are not final yet, in order; final ones come once. */
async function* results(
  responses: AsyncIterable<StreamingRecognizeResponse>,
  label: string,
): AsyncGenerator<Recognised, void> {
  let settled = "";
  for await (const { results: stretches, error } of responses) {
    if (error && error.code !== 0) throw speechFailure(label, error.message);
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

const REFUSALS: ReadonlySet<Code> = new Set([
  ...[Code.InvalidArgument, Code.Unauthenticated, Code.PermissionDenied, Code.NotFound, Code.FailedPrecondition],
]);

function asRefusal(error: unknown, label: string, apiKey: string): ConnectError {
  const refusal = ConnectError.from(error);
  const make = REFUSALS.has(refusal.code) ? speechRefused : speechFailure;
  return make(label, refusal.rawMessage, [apiKey]);
}

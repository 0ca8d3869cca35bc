import { createRequire } from "node:module";
import { dirname } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { createDecoder, joinSamples, type Samples } from "#speech";
import { type FakeProvider, KEY, newState, providerAt } from "./fake-provider.ts";

const PROTOS = dirname(createRequire(import.meta.url).resolve("google-proto-files/package.json"));
const loaded = loadSync("google/cloud/speech/v1/cloud_speech.proto", {
  includeDirs: [PROTOS],
  keepCase: false,
  enums: String,
});
const SPEECH = (loaded["google.cloud.speech.v1.Speech"] ?? {}) as grpc.ServiceDefinition;

interface StreamingRequest {
  readonly streamingConfig?: {
    readonly interimResults?: boolean;
    readonly config?: {
      readonly encoding?: string;
      readonly sampleRateHertz?: number;
      readonly languageCode?: string;
      readonly alternativeLanguageCodes?: readonly string[];
      readonly model?: string;
    };
  };
  readonly audioContent?: Buffer;
}

/** A server that speaks Google Cloud's `StreamingRecognize`: grpc-js and the published definitions, nothing of the product's. */
export async function startGoogleSpeech(recognize: (sound: Samples) => string): Promise<FakeProvider> {
  const state = newState();
  const server = new grpc.Server();
  server.addService(SPEECH, {
    recognize: unimplemented,
    longRunningRecognize: unimplemented,
    streamingRecognize: (call: grpc.ServerDuplexStream<StreamingRequest, object>) => {
      const decode = createDecoder("LINEAR16");
      const pieces: Samples[] = [];
      const key = call.metadata.get("x-goog-api-key").join();
      call.on("data", ({ streamingConfig, audioContent }: StreamingRequest) => {
        if (streamingConfig) {
          const {
            encoding,
            sampleRateHertz,
            languageCode,
            alternativeLanguageCodes = [],
            model,
          } = streamingConfig.config ?? {};
          const languages = [languageCode, ...alternativeLanguageCodes].join();
          state.calls.push(
            [key, encoding, sampleRateHertz, languages, model, streamingConfig.interimResults].join(" "),
          );
        }
        if (audioContent && audioContent.length > 0) pieces.push(decode(audioContent));
        if (!state.broken && key === KEY) return;
        const code = state.broken ? grpc.status.UNAVAILABLE : grpc.status.UNAUTHENTICATED;
        call.emit("error", { code, details: `no service for ${key}` });
      });
      call.on("error", () => {});
      call.on("end", () => {
        const words = recognize(joinSamples(pieces)).split(" ");
        const stretch = (from: number, to: number, isFinal: boolean) => ({
          alternatives: [{ transcript: words.slice(from, to).join(" ") }],
          isFinal,
        });
        if (words[0] !== "") {
          call.write({ results: [stretch(0, 1, false), stretch(1, 2, false)] });
          call.write({ results: [stretch(0, 1, true)] });
          call.write({ results: [stretch(1, words.length, true)] });
        }
        call.end();
      });
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return providerAt(port, state, async () => server.forceShutdown());
}

function unimplemented(_call: unknown, answer: (error: object) => void): void {
  answer({ code: grpc.status.UNIMPLEMENTED });
}

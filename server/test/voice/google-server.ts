import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { createDecoder, joinSamples, readWav, type Samples, writeWav } from "#speech";
import type { FakeProvider } from "./deepgram-server.ts";
import { tone } from "./deepgram-server.ts";

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
      readonly model?: string;
    };
  };
  readonly audioContent?: Buffer;
}

/** A server that speaks Google Cloud's `StreamingRecognize`: grpc-js and the published definitions, nothing of the product's. */
export async function startGoogleSpeech(recognise: (sound: Samples) => string): Promise<FakeProvider> {
  const calls: string[] = [];
  const state = { broken: false };
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
          const { encoding, sampleRateHertz, languageCode, model } = streamingConfig.config ?? {};
          calls.push([key, encoding, sampleRateHertz, languageCode, model, streamingConfig.interimResults].join(" "));
        }
        if (audioContent && audioContent.length > 0) pieces.push(decode(audioContent));
        if (!state.broken && key === "test-key") return;
        const code = state.broken ? grpc.status.UNAVAILABLE : grpc.status.UNAUTHENTICATED;
        call.emit("error", { code, details: `no service for ${key}` });
      });
      call.on("error", () => {});
      call.on("end", () => {
        const words = recognise(joinSamples(pieces)).split(" ");
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
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    get broken() {
      return state.broken;
    },
    set broken(value) {
      state.broken = value;
    },
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
    },
  };
}

function unimplemented(_call: unknown, answer: (error: object) => void): void {
  answer({ code: grpc.status.UNIMPLEMENTED });
}

/** A server of the HTTP calls: Google's `text:synthesize`, OpenAI's `/audio/speech` and `/audio/transcriptions`. */
export async function startHttpSpeech(recognise: (sound: Samples) => string = () => ""): Promise<FakeProvider> {
  const calls: string[] = [];
  const state = { broken: false };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const key = String(request.headers["x-goog-api-key"] ?? request.headers.authorization ?? "");
    const answer = (status: number, type: string, content: Buffer | string) =>
      response.writeHead(status, { "content-type": type }).end(content);
    if (state.broken) return answer(503, "text/plain", `down for ${key.split(" ").at(-1)}`);
    if (!key.endsWith("test-key"))
      return answer(401, "application/json", JSON.stringify({ error: { message: `no such key: ${key}` } }));
    switch (request.url) {
      case "/v1/text:synthesize": {
        calls.push(body.toString());
        const { input, audioConfig } = JSON.parse(body.toString()) as {
          input: { text: string };
          audioConfig: { sampleRateHertz: number };
        };
        const rate = audioConfig.sampleRateHertz;
        const wav = writeWav({ samples: createDecoder("LINEAR16")(tone(input.text, rate)), rate });
        return answer(200, "application/json", JSON.stringify({ audioContent: Buffer.from(wav).toString("base64") }));
      }
      case "/v1/audio/speech": {
        calls.push(body.toString());
        return answer(200, "audio/pcm", tone((JSON.parse(body.toString()) as { input: string }).input, 24_000));
      }
      case "/v1/audio/transcriptions": {
        const form = await new Response(body, {
          headers: { "content-type": String(request.headers["content-type"]) },
        }).formData();
        const file = form.get("file") as File;
        calls.push(
          ["model", "language", "response_format"].map((name) => `${name}=${form.get(name)}`).join(" ") +
            ` ${file.name} ${file.type}`,
        );
        const { samples } = readWav(new Uint8Array(await file.arrayBuffer()));
        return answer(200, "application/json", JSON.stringify({ text: ` ${recognise(samples)}` }));
      }
      default:
        return answer(404, "text/plain", `nothing at ${request.url}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    get broken() {
      return state.broken;
    },
    set broken(value) {
      state.broken = value;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

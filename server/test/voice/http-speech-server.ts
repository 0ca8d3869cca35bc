import { createServer } from "node:http";
import { createDecoder, readWav, type Samples, writeWav } from "#speech";
import { type FakeProvider, KEY, newState, openOn, providerAt, tone } from "./fake-provider.ts";

/** A server of the HTTP calls: Google's `text:synthesize`, OpenAI's `/audio/speech` and `/audio/transcriptions`. */
export async function startHttpSpeech(recognize: (sound: Samples) => string = () => ""): Promise<FakeProvider> {
  const state = newState();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const key = String(request.headers["x-goog-api-key"] ?? request.headers.authorization ?? "");
    const answer = (status: number, type: string, content: Buffer | string) =>
      response.writeHead(status, { "content-type": type }).end(content);
    if (state.broken) return answer(503, "text/plain", `down for ${key.split(" ").at(-1)}`);
    if (!key.endsWith(KEY))
      return answer(401, "application/json", JSON.stringify({ error: { message: `no such key: ${key}` } }));
    switch (request.url) {
      case "/v1/text:synthesize": {
        state.calls.push(body.toString());
        const { input, audioConfig } = JSON.parse(body.toString()) as {
          input: { text: string };
          audioConfig: { sampleRateHertz: number };
        };
        const rate = audioConfig.sampleRateHertz;
        const wav = writeWav({ samples: createDecoder("LINEAR16")(tone(input.text, rate)), rate });
        return answer(200, "application/json", JSON.stringify({ audioContent: Buffer.from(wav).toString("base64") }));
      }
      case "/v1/audio/speech": {
        state.calls.push(body.toString());
        return answer(200, "audio/pcm", tone((JSON.parse(body.toString()) as { input: string }).input, 24_000));
      }
      case "/v1/audio/transcriptions": {
        const form = await new Response(body, {
          headers: { "content-type": String(request.headers["content-type"]) },
        }).formData();
        const file = form.get("file") as File;
        state.calls.push(
          ["model", "language", "response_format"].map((name) => `${name}=${form.get(name)}`).join(" ") +
            ` ${file.name} ${file.type}`,
        );
        const { samples } = readWav(new Uint8Array(await file.arrayBuffer()));
        return answer(200, "application/json", JSON.stringify({ text: ` ${recognize(samples)}` }));
      }
      default:
        return answer(404, "text/plain", `nothing at ${request.url}`);
    }
  });
  return providerAt(await openOn(server), state, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

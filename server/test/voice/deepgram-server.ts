import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { createDecoder, joinSamples, type Samples } from "#speech";
import { type FakeProvider, KEY, newState, openOn, providerAt, tone } from "./fake-provider.ts";

/**
 * A server that speaks Deepgram's two WebSockets: `/v1/listen` with results that grow and become final at `CloseStream`,
 * and `/v1/speak` with a tone as long as its text.
 */
export async function startDeepgramServer(recognize: (sound: Samples) => string = () => ""): Promise<FakeProvider> {
  const state = newState();
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    const url = new URL(request.url ?? "", "http://localhost");
    socket.on("error", () => {}); // Some of its clients leave without a word.
    state.calls.push(
      `${url.pathname} ${request.headers.authorization} ${[...url.searchParams].map((pair) => pair.join("=")).join("&")}`,
    );
    if (state.broken || state.failures > 0) {
      state.failures -= state.broken ? 0 : 1;
      return socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
    }
    if (request.headers.authorization !== `Token ${KEY}`) {
      return socket.end("HTTP/1.1 401 Unauthorized\r\ndg-error: Invalid credentials.\r\nConnection: close\r\n\r\n");
    }
    const { garbage } = state;
    state.garbage = undefined;
    if (garbage !== undefined) return sockets.handleUpgrade(request, socket, head, (open) => open.send(garbage));
    sockets.handleUpgrade(request, socket, head, (open) =>
      url.pathname === "/v1/listen"
        ? listen(open, recognize)
        : speak(open, Number(url.searchParams.get("sample_rate"))),
    );
  });
  return providerAt(await openOn(server), state, async () => {
    for (const client of sockets.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
}

function listen(socket: WebSocket, recognize: (sound: Samples) => string): void {
  const decode = createDecoder("LINEAR16");
  const pieces: Samples[] = [];
  const tell = (transcript: string, isFinal: boolean) =>
    socket.send(
      JSON.stringify({
        type: "Results",
        channel_index: [0, 1],
        is_final: isFinal,
        speech_final: isFinal,
        channel: { alternatives: [{ transcript, confidence: 0.99, words: [] }] },
      }),
    );
  socket.on("message", (data: Buffer, binary: boolean) => {
    if (binary) {
      pieces.push(decode(data));
      return;
    }
    if ((JSON.parse(data.toString()) as { type: string }).type !== "CloseStream") return;
    const words = recognize(joinSamples(pieces));
    const [first = ""] = words.split(" ");
    if (words !== "") tell(first, false);
    tell(words, true);
    socket.send(JSON.stringify({ type: "Metadata", request_id: "r", duration: 1, channels: 1 }));
    socket.close(1000);
  });
}

function speak(socket: WebSocket, rate: number): void {
  let text = "";
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { readonly type: string; readonly text?: string };
    if (message.type === "Speak") text += message.text;
    if (message.type === "Close") socket.close(1000);
    if (message.type !== "Flush") return;
    socket.send(JSON.stringify({ type: "Metadata", request_id: "r", model_name: "m" }));
    const sound = tone(text, rate);
    // Cut in the middle of a sample, as the wire may.
    socket.send(sound.subarray(0, 1_001));
    socket.send(sound.subarray(1_001));
    socket.send(JSON.stringify({ type: "Flushed", sequence_id: 0 }));
  });
}

import { WebSocket } from "ws";
import { AsyncQueue } from "#base";
import { errorMessage, httpStatusError, speechUnavailable } from "../speech-errors.ts";

/** A frame from a provider: JSON, or audio. */
type Frame = { readonly text: string } | { readonly bytes: Uint8Array };

/** An open WebSocket to a provider. */
export interface SpeechSocket {
  /** Resolves when the next frame may be sent (back-pressure). Ignored after the end. */
  send(frame: string | Uint8Array): Promise<void>;
  /** The frames until the provider closes. Throws a status error when the connection breaks. */
  readonly frames: AsyncIterable<Frame>;
  close(): void;
}

interface SpeechSocketRequest {
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

const CONNECT_MS = 10_000;
/** Bytes that may wait to be sent before a sender waits: two seconds of audio. */
const MAX_UNSENT = 64 * 1024;
const MAX_FRAME = 4 * 1024 * 1024;

/** Opens a socket. Rejects with a status error, or with the signal's abort reason. */
export async function openSocket({ label, url, headers, secrets, signal }: SpeechSocketRequest): Promise<SpeechSocket> {
  signal.throwIfAborted();
  const options = {
    headers: { ...headers },
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_FRAME,
    perMessageDeflate: false,
  };
  const socket = new WebSocket(url, options);
  const abort = () => socket.terminate();
  signal.addEventListener("abort", abort, { once: true });
  const queue = new AsyncQueue<Frame>(() => socket.close());
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: Error) => {
    reject(error);
    queue.fail(error);
  };
  socket.on("open", resolve);
  socket.on("message", (data: Buffer, binary: boolean) =>
    queue.push(binary ? { bytes: data } : { text: data.toString() }),
  );
  socket.on("unexpected-response", (_request, response) => {
    fail(httpStatusError(label, response.statusCode ?? 0, String(response.headers["dg-error"] ?? ""), secrets));
    response.destroy();
    socket.terminate();
  });
  socket.on("error", (error) => fail(speechUnavailable(label, errorMessage(error), secrets)));
  socket.on("close", (code, reason) => {
    signal.removeEventListener("abort", abort);
    if (code === 1000 || code === 1005) queue.end();
    else
      fail(
        speechUnavailable(label, `it closed with ${code}${reason.length > 0 ? `, ${reason.toString()}` : ""}`, secrets),
      );
  });
  try {
    await opened;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return {
    frames: queue,
    close: () => socket.close(),
    send: (frame) => {
      if (socket.readyState !== WebSocket.OPEN) return Promise.resolve();
      if (socket.bufferedAmount <= MAX_UNSENT) {
        socket.send(frame);
        return Promise.resolve();
      }
      // An error here is the socket's end, which `frames` reports.
      return new Promise((sent) => socket.send(frame, () => sent()));
    },
  };
}

/** A text frame as JSON. Throws UNAVAILABLE when it is none. */
export function readJsonFrame(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw speechUnavailable(label, "its answer is not JSON");
  }
}

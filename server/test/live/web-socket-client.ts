import { type LiveClient, Mailbox, type ServerMessage } from "./messages.ts";

/** How the server closed. */
interface Closed {
  readonly code: number;
  readonly reason: string;
}

interface WebSocketClient extends LiveClient {
  readonly closed: Promise<Closed>;
  /** Sends a frame as it is. */
  raw(frame: string | Uint8Array): void;
}

export const WS_PATH = "/ws/google.cloud.ces.v1.SessionService/BidiRunSession/locations/us";

/** Opens a conversation with the WebSocket that Node brings, whose code is not the server's. */
export async function openWebSocket(address: string, path = WS_PATH): Promise<WebSocketClient> {
  const socket = new WebSocket(`${address.replace(/^http/, "ws")}${path}`);
  const mailbox = new Mailbox();
  const closed = new Promise<Closed>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      mailbox.put(undefined);
      resolve({ code, reason });
    });
  });
  socket.addEventListener("message", ({ data }) => mailbox.put(JSON.parse(String(data)) as ServerMessage));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the handshake failed")));
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  return {
    closed,
    send,
    raw: (frame) => socket.send(frame),
    say: (text) => send({ realtimeInput: { text } }),
    next: () => mailbox.next(),
    turn: () => mailbox.turn(),
    halfClose: () => socket.close(),
    async [Symbol.asyncDispose]() {
      socket.close();
      await closed;
    },
  };
}

import type { WebSocket } from "ws";
import { AsyncQueue } from "#base";

/** What may wait to be read, bytes, before the client is held back. */
const MAX_WAITING = 1024 * 1024;

/** What a waiting message costs at least, bytes: 64 small ones fill the inbox. */
const MESSAGE_COST = 16 * 1024;

/** The messages of a client, until it closes. While too much waits, nothing more is read from its connection. */
export function openInbox(socket: WebSocket): AsyncIterable<Buffer> {
  const queue = new AsyncQueue<Buffer>();
  let waiting = 0;
  socket.on("message", (data) => {
    const message = data as Buffer; // the library's default form, text and binary alike
    waiting += message.length + MESSAGE_COST;
    queue.push(message);
    if (waiting > MAX_WAITING) socket.pause();
  });
  socket.once("close", () => queue.end());
  return drained(queue, (message) => {
    waiting -= message.length + MESSAGE_COST;
    if (socket.isPaused && waiting <= MAX_WAITING / 2) socket.resume();
  });
}

async function* drained(queue: AsyncQueue<Buffer>, taken: (message: Buffer) => void): AsyncGenerator<Buffer, void> {
  for await (const message of queue) {
    taken(message);
    yield message;
  }
}

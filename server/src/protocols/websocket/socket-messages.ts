import { WebSocket } from "ws";
import { BackpressureQueue } from "../http/backpressure-queue.ts";

/** The messages of a client, until it closes the socket. */
export function receivedMessages(socket: WebSocket): AsyncIterable<Buffer> {
  const queue = new BackpressureQueue<Buffer>(socket);
  socket.on("message", (data) => {
    const message = data as Buffer; // the library's default form, of text and binary frames alike
    queue.push(message, message.length);
  });
  socket.once("close", () => queue.end());
  return queue;
}

/** Bytes that may be buffered before the next message has to wait: a few packets of audio, which nobody can take back from here when a user interrupts it (WIRE-83). */
const HIGH_WATER_MARK = 16 * 1024;

/** Sends one message. Returns a promise when the client reads slowly. Does nothing when the socket is closed. */
export function send(socket: WebSocket, text: string): Promise<void> | undefined {
  if (socket.readyState !== WebSocket.OPEN) return undefined;
  if (socket.bufferedAmount + text.length <= HIGH_WATER_MARK) {
    socket.send(text);
    return undefined;
  }
  // An error here ends the connection, which has an event of its own.
  return new Promise((resolve) => socket.send(text, () => resolve()));
}

import { WebSocket } from "ws";

/** What may wait to be sent, bytes, before the next message waits as well. */
const MAX_WAITING = 1024 * 1024;

/** Sends one message; resolves at once, or for a slow reader when it has been taken. Goes nowhere when the client has closed. */
export function send(socket: WebSocket, text: string): Promise<void> | undefined {
  if (socket.readyState !== WebSocket.OPEN) return undefined;
  if (socket.bufferedAmount + text.length <= MAX_WAITING) {
    socket.send(text);
    return undefined;
  }
  // An error here is the connection's end, which is told by its own event.
  return new Promise((resolve) => socket.send(text, () => resolve()));
}

import type { WebSocket } from "ws";
import { Inbox } from "../http/inbox.ts";

/** The messages of a client, until it closes. */
export function openInbox(socket: WebSocket): Inbox<Buffer> {
  const inbox = new Inbox<Buffer>(socket);
  socket.on("message", (data) => {
    const message = data as Buffer; // the library's default form, of text and binary frames alike
    inbox.push(message, message.length);
  });
  socket.once("close", () => inbox.end());
  return inbox;
}

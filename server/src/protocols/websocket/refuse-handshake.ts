import type { Duplex } from "node:stream";

/** Answers a handshake with 404 and ends the connection. */
export function refuseHandshake(connection: Duplex, message: string): void {
  const body = JSON.stringify({ error: { code: 404, message, status: "NOT_FOUND" } });
  const head = [
    "HTTP/1.1 404 Not Found",
    "content-type: application/json; charset=UTF-8",
    "connection: close",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  connection.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

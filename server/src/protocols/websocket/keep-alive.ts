import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Pings without a reply after which a connection is closed. */
const MAX_UNANSWERED = 3;

/**
 * Pings a client, which keeps proxies from closing an idle connection (WIRE-70), and terminates the connection of a client that has disconnected. A slow
 * client that still reads what was sent is alive. Returns a function that stops the pings.
 */
export function keepAlive(socket: WebSocket, connection: Duplex, intervalMs: number): () => void {
  let unanswered = 0;
  let bufferedBefore = 0;
  let sentBefore = 0;
  const markAlive = (): void => {
    unanswered = 0;
  };
  socket.on("pong", markAlive);
  socket.on("message", markAlive);
  const timer = setInterval(() => {
    const sent = bytesSent(connection);
    // Pongs of a paused socket are not read, and none comes to a ping behind what is buffered.
    const isAlive = bufferedBefore > 0 ? sent > sentBefore : socket.isPaused;
    unanswered = isAlive ? 0 : unanswered + 1;
    if (unanswered > MAX_UNANSWERED) return socket.terminate();
    bufferedBefore = socket.bufferedAmount;
    sentBefore = sent;
    if (bufferedBefore === 0) socket.ping();
  }, intervalMs);
  return () => clearInterval(timer);
}

/** Bytes that have left this process. */
function bytesSent(connection: Duplex): number {
  const { bytesWritten = 0 } = connection as Duplex & { readonly bytesWritten?: number };
  return bytesWritten - connection.writableLength;
}

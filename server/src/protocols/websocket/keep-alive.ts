import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Pings without any sign of life after which a connection is dead. */
const MAX_SILENT = 2;

/**
 * Pings a client, which keeps proxies from closing an idle connection, and cuts one off that is gone without a word. A client
 * that still takes what waits for it is alive, however slow it is. Answers what ends the pings.
 */
export function keepAlive(socket: WebSocket, connection: Duplex, intervalMs: number): () => void {
  let silent = 0;
  let waitingBefore = 0;
  let takenBefore = 0;
  const heard = (): void => {
    silent = 0;
  };
  socket.on("pong", heard);
  socket.on("message", heard);
  const timer = setInterval(() => {
    const taken = bytesTaken(connection);
    const takesOn = waitingBefore > 0 && taken > takenBefore;
    // A client that is held back cannot be heard either.
    silent = takesOn || socket.isPaused ? 0 : silent + 1;
    if (silent > MAX_SILENT) return socket.terminate();
    waitingBefore = socket.bufferedAmount;
    takenBefore = taken;
    if (waitingBefore === 0) socket.ping();
  }, intervalMs);
  return () => clearInterval(timer);
}

/** Bytes that have left this process. */
function bytesTaken(connection: Duplex): number {
  const { bytesWritten = 0 } = connection as Duplex & { readonly bytesWritten?: number };
  return bytesWritten - connection.writableLength;
}

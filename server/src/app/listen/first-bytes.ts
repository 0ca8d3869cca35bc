import type { Socket } from "node:net";

/** What a client speaks, as its first bytes tell. */
export type Wire = "tls" | "http2" | "http1";

/** What every HTTP/2 client sends first (RFC 9113, 3.4). */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** First byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;

/**
 * Waits for enough bytes to know what a client speaks, puts them back and hands the socket on. A client that does not
 * show it in time is cut off.
 */
export function onFirstBytes(socket: Socket, timeoutMs: number, decided: (wire: Wire) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off("data", onData);
    socket.off("close", stop);
  };
  const onData = (chunk: Buffer): void => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const wire = wireOf(seen);
    if (!wire) return;
    stop();
    socket.pause();
    socket.unshift(seen);
    decided(wire);
    // The other two take the bytes out themselves; HTTP/1.1 waits for them to flow.
    if (wire === "http1") socket.resume();
  };
  socket.on("data", onData);
  socket.on("close", stop);
}

function wireOf(seen: Buffer): Wire | undefined {
  if (seen[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(seen.length, PREFACE.length);
  if (seen.compare(PREFACE, 0, length, 0, length) !== 0) return "http1";
  return length === PREFACE.length ? "http2" : undefined;
}

import type { Socket } from "node:net";

/** The protocol of a connection. */
type ConnectionProtocol = "tls" | "http2" | "http1";

/** The first bytes of every HTTP/2 client (RFC 9113, 3.4). */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** First byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;

/**
 * Reads enough bytes to detect the protocol of a connection, unshifts them and passes the socket on. A client that does not send them
 * in time is disconnected.
 */
export function detectProtocol(
  socket: Socket,
  timeoutMs: number,
  onDetected: (protocol: ConnectionProtocol) => void,
): void {
  let seen: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off("data", onData);
    socket.off("close", stop);
  };
  const onData = (chunk: Buffer): void => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const protocol = protocolOf(seen);
    if (!protocol) return;
    stop();
    socket.pause();
    socket.unshift(seen);
    onDetected(protocol);
    // The servers of TLS and HTTP/2 read from the paused socket; the one of HTTP/1.1 needs it to flow.
    if (protocol === "http1") socket.resume();
  };
  socket.on("data", onData);
  socket.on("close", stop);
}

function protocolOf(seen: Buffer): ConnectionProtocol | undefined {
  if (seen[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(seen.length, PREFACE.length);
  if (seen.compare(PREFACE, 0, length, 0, length) !== 0) return "http1";
  return length === PREFACE.length ? "http2" : undefined;
}

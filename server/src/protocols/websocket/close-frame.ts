import { Code, type ConnectError, toGrpcStatusName } from "#status";

/** Code and reason of a close frame. */
interface CloseFrame {
  readonly code: number;
  /** At most 123 bytes of UTF-8 (RFC 6455, 5.5). */
  readonly reason: string;
}

/** Close codes by status code (WIRE-10); every other error is 1011. */
const CLOSE_CODES: ReadonlyMap<Code, number> = new Map([
  [Code.InvalidArgument, 1007],
  [Code.OutOfRange, 1007],
  [Code.NotFound, 1008],
  [Code.PermissionDenied, 1008],
  [Code.Unauthenticated, 1008],
]);

const UNEXPECTED = 1011;

/** A status error as a close frame. Clients parse its `generic::<code>: <message>`. */
export function closeFrameFor(error: ConnectError): CloseFrame {
  const code = CLOSE_CODES.get(error.code) ?? UNEXPECTED;
  const text = `generic::${toGrpcStatusName(error.code).toLowerCase()}: ${error.rawMessage}`;
  return { code, reason: shorten(code === UNEXPECTED ? `[ORIGINAL ERROR] ${text}` : text) };
}

const MAX_BYTES = 123;

function shorten(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  let end = MAX_BYTES - Buffer.byteLength("…");
  // Not within a character: its later bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.toString("utf8", 0, end)}…`;
}

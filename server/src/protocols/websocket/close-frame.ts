import { Code, type ConnectError, toGrpcStatusName } from "#status";

/** What a close frame says. */
export interface CloseFrame {
  readonly code: number;
  /** At most 123 bytes of UTF-8 (RFC 6455, 5.5). */
  readonly reason: string;
}

/** Codes of their own (WIRE-10); every other refusal is the server's failure to go on. */
const CLOSE_CODES: ReadonlyMap<Code, number> = new Map([
  [Code.InvalidArgument, 1007],
  [Code.OutOfRange, 1007],
  [Code.NotFound, 1008],
  [Code.PermissionDenied, 1008],
  [Code.Unauthenticated, 1008],
]);

const UNEXPECTED = 1011;

/** A refusal as a close frame: `generic::<code>: <message>`, which clients take apart. */
export function closeFrameOf(refusal: ConnectError): CloseFrame {
  const code = CLOSE_CODES.get(refusal.code) ?? UNEXPECTED;
  const text = `generic::${toGrpcStatusName(refusal.code).toLowerCase()}: ${refusal.rawMessage}`;
  return { code, reason: shorten(code === UNEXPECTED ? `[ORIGINAL ERROR] ${text}` : text) };
}

const MAX_BYTES = 123;

function shorten(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  let end = MAX_BYTES - Buffer.byteLength("…");
  // Not inside a character: its later bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.toString("utf8", 0, end)}…`;
}

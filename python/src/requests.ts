import type { PythonCall } from "./contract.ts";
import type { JsonObject } from "./json.ts";
import { writeJson } from "./json-spelling.ts";
import { RESTORE_FLAG } from "./process/guest.ts";
import { FrameType, HEADER_BYTES } from "./sealed/frames.ts";

/** Bytes of a call frame before the request: header, CPU limit, restore flag. */
const PREFIX_BYTES = RESTORE_FLAG + 1;

/** A request of more bytes than this is not sent (PY-39). */
export const REQUEST_LIMIT = 4 << 20;

/** A source file and its compiled form. */
export interface CompiledSource {
  readonly source: Buffer;
  /** The marshalled code object. */
  readonly code: Buffer;
}

/** The frame that compiles a file without running it. */
export function compileRequest(filename: string, source: Buffer, cpuMs: number): Buffer {
  return encodeRequest({ op: "compile", filename }, [source], cpuMs);
}

/** The frame that loads a file and describes its functions. */
export function inspectRequest(filename: string, source: string, cpuMs: number): Buffer {
  return encodeRequest({ op: "inspect", filename }, [source], cpuMs);
}

/**
 * The frame of one call. What the program may leave unread (variables, a conversation) travels as JSON text of its own, which
 * the guest parses on first use.
 */
export function runRequest(call: PythonCall, { source, code }: CompiledSource, cpuMs: number): Buffer {
  const { filename, entry = "", keyword = {}, input } = call;
  const head = { op: "run", filename, entry, keyword, input: input?.fields ?? {} };
  const segments = input?.segments ?? (call.positional ?? []).map(writeJson);
  return encodeRequest(head, [source, code, ...segments], cpuMs);
}

/** One allocation for frame header, limits, segment table and segments: this runs for every call. */
function encodeRequest(head: JsonObject, rest: readonly (string | Buffer)[], cpuMs: number): Buffer {
  const segments = [writeJson(head), ...rest];
  const lengths = segments.map((segment) =>
    typeof segment === "string" ? Buffer.byteLength(segment) : segment.length,
  );
  const total = PREFIX_BYTES + 4 + 4 * segments.length + lengths.reduce((sum, length) => sum + length, 0);
  const frame = Buffer.allocUnsafe(total);
  let offset = frame.writeUInt32LE(total - HEADER_BYTES, 0);
  offset = frame.writeUInt8(FrameType.call, offset);
  offset = frame.writeUInt32LE(cpuMs, offset);
  offset = frame.writeUInt8(1, offset);
  offset = frame.writeUInt32LE(segments.length, offset);
  for (const length of lengths) offset = frame.writeUInt32LE(length, offset);
  for (const segment of segments) {
    offset += typeof segment === "string" ? frame.write(segment, offset) : segment.copy(frame, offset);
  }
  return frame;
}

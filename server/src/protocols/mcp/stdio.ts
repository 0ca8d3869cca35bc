import type { Readable, Writable } from "node:stream";
import { isJsonObject, type JsonValue } from "#base";
import { parseJson } from "../json/parse-json.ts";
import { errorMessage, JsonRpcCode } from "./json-rpc.ts";

/** Longest message, bytes: an app with its files in one import. The same as over HTTP. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** The streams of a client, usually standard input and output. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Answers one message, or one batch, with lines. The signal is aborted when the client cancels the request. `notify` sends
 * notifications that may be lost.
 */
export type LineHandler = (
  message: JsonValue,
  signal: AbortSignal,
  send: (line: string) => void,
  notify: (line: string) => void,
) => Promise<void>;

/**
 * MCP over standard input and output, one message per line. Responses are sent as soon as they are ready. Resolves when the input has
 * ended and all requests have responses. Reading pauses while the client does not read.
 */
export async function serveStdio({ input, output }: StdioStreams, handleLine: LineHandler): Promise<void> {
  const inFlight = new Map<JsonValue, AbortController>();
  const pending = new Set<Promise<void>>();
  const send = (line: string): void => void output.write(`${line}\n`);
  const notify = (line: string): void => {
    if (!output.writableNeedDrain) send(line);
  };
  for await (const line of linesOf(input)) {
    const message = line && parseJson(line);
    if (!message) {
      send(errorMessage(null, TOO_LONG));
      continue;
    }
    if (!message.ok) {
      send(
        errorMessage(null, {
          code: JsonRpcCode.parseError,
          message: `Parse error: ${message.reason}`,
          data: undefined,
        }),
      );
      continue;
    }
    const cancelled = cancelledId(message.value);
    if (cancelled !== undefined) inFlight.get(cancelled)?.abort();
    const controller = new AbortController();
    const id = isJsonObject(message.value) ? message.value.id : undefined;
    if (id !== undefined) inFlight.set(id, controller);
    const handling = handleLine(message.value, controller.signal, send, notify).finally(() => {
      pending.delete(handling);
      if (id !== undefined && inFlight.get(id) === controller) inFlight.delete(id);
    });
    pending.add(handling);
    if (output.writableNeedDrain) await drained(output);
  }
  await Promise.all(pending);
}

const TOO_LONG = {
  code: JsonRpcCode.invalidRequest,
  message: `A message has at most ${MAX_LINE_BYTES} bytes.`,
  data: undefined,
};

/** Lines without their break, except empty ones; undefined for a line that is too long. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]);
      const fits = size + end - from <= MAX_LINE_BYTES;
      if (!fits) yield undefined;
      else if (line.toString("latin1").trim() !== "") yield line;
      [parts, size, from] = [[], 0, end + 1];
    }
    size += chunk.length - from;
    // A line that is too long already is not stored.
    parts = size > MAX_LINE_BYTES ? [] : [...parts, chunk.subarray(from)];
  }
  if (size > 0 && size <= MAX_LINE_BYTES) yield Buffer.concat(parts);
}

function cancelledId(message: JsonValue): JsonValue | undefined {
  if (!isJsonObject(message) || message.method !== "notifications/cancelled") return undefined;
  return isJsonObject(message.params) ? message.params.requestId : undefined;
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      output.off("drain", done);
      output.off("close", done);
      resolve();
    };
    output.once("drain", done);
    output.once("close", done);
  });
}

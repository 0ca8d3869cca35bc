import type { Duplex } from "node:stream";

/** Most characters of a line: a turn of the largest requests with its files in base64, and what comes of it, with its trace. */
export const MAX_LINE_LENGTH = 128 * 1024 * 1024;

/** The lines of a stream, without their ends. Rejects when it is cut off, and when a line has more characters than `maxLength`. */
export async function* linesOf(stream: Duplex, maxLength = MAX_LINE_LENGTH): AsyncGenerator<string, void> {
  stream.setEncoding("utf8");
  let begun: string[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<string>) {
    const [first = "", ...others] = piece.split("\n");
    begun.push(first);
    length += first.length;
    for (const next of others) {
      yield begun.join("");
      begun = [next];
      length = next.length;
    }
    if (length > maxLength) throw new Error(`a line has more than ${maxLength} characters`);
  }
}

/** A value as a line. */
export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

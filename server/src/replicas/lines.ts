import type { Duplex } from "node:stream";

/** The lines of a stream, without their ends. Rejects when it is cut off. */
export async function* linesOf(stream: Duplex): AsyncGenerator<string, void> {
  stream.setEncoding("utf8");
  let begun: string[] = [];
  for await (const piece of stream as AsyncIterable<string>) {
    const [first = "", ...others] = piece.split("\n");
    begun.push(first);
    for (const next of others) {
      yield begun.join("");
      begun = [next];
    }
  }
}

/** A value as a line. */
export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

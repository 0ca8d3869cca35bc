import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { isJsonObject, type JsonValue } from "#base";
import { type LineHandler, serveStdio } from "./stdio.ts";

/** What came out for what went in. */
async function exchange(chunks: readonly (string | Buffer)[], answer: LineHandler): Promise<readonly unknown[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: Buffer[] = [];
  output.on("data", (chunk: Buffer) => lines.push(chunk));
  const served = serveStdio({ input, output }, answer);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await served;
  return Buffer.concat(lines)
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}

const idOf = (message: JsonValue): JsonValue => (isJsonObject(message) ? (message.id ?? null) : null);
const echo: LineHandler = async (message, _, send) => send(JSON.stringify({ echo: idOf(message) }));

describe("MCP over standard input and output", () => {
  it("reads messages however they are split", async () => {
    const chunks = ['{"id":1}\n{"i', 'd":2}', "\n\n  \n", '{"id":"é'.slice(0, 7), 'é"}\r\n{"id":4}'];
    assert.deepEqual(await exchange(chunks, echo), [{ echo: 1 }, { echo: 2 }, { echo: "é" }, { echo: 4 }]);
  });

  it("rejects a line that is too long, discards it, and continues", async () => {
    const block = Buffer.alloc(8 * 1024 * 1024, "x");
    const answers = await exchange([...Array.from({ length: 5 }, () => block), '\n{"id":2}\n'], echo);
    assert.deepEqual(answers, [
      { jsonrpc: "2.0", id: null, error: { code: -32600, message: "A message has at most 33554432 bytes." } },
      { echo: 2 },
    ]);
  });

  it("names the position where a line is not JSON", async () => {
    const [answer] = await exchange(['{"id": // here\n'], echo);
    assert.match(JSON.stringify(answer), /-32700.*JSON has no comments/);
  });

  it("cancels the request that a notification names, and no other", async () => {
    const begun: JsonValue[] = [];
    const patient: LineHandler = (message, signal, send) => {
      const id = idOf(message);
      if (id === null) return Promise.resolve();
      begun.push(id);
      if (id === 2) return Promise.resolve(send('{"done":2}'));
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          send(`{"cancelled":${id}}`);
          resolve();
        });
      });
    };
    const notice = '{"method":"notifications/cancelled","params":{"requestId":1}}\n';
    assert.deepEqual(await exchange(['{"id":1}\n', '{"id":2}\n', notice], patient), [{ done: 2 }, { cancelled: 1 }]);
    assert.deepEqual(begun, [1, 2]);
  });
});

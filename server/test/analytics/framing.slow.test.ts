import assert from "node:assert/strict";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { after, before, describe, it } from "node:test";
import { ScriptedModel, say, type TestServer } from "#testing";
import { inlineQuestion, LOCATION, startDataServer } from "./data-server.ts";
import { piecesOf, readAsAdk, readByLines } from "./line-clients.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());

async function post(query: string, body: object, at: Pick<TestServer, "address"> = server) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${at.address}/v1beta/${LOCATION}:chat${query}`, init);
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const question = inlineQuestion("Total amount by région — and in the “North”?");

describe("the bytes of a streamed answer", () => {
  it("open with [{ on a line, part elements by a lone comma, and end with ] and nothing after it", async () => {
    const { response, bytes } = await post("", inlineQuestion("total amount by region"));
    const text = Buffer.from(bytes).toString();
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "application/json; charset=UTF-8"]);
    const lines = text.split("\n");
    assert.deepEqual([lines[0], lines.at(-1), lines.at(-2)], ["[{", "]", "}"]);
    const elements: unknown[] = JSON.parse(text);
    const commas = lines.flatMap((line, at) => (line === "," ? [[lines[at - 1], lines[at + 1]]] : []));
    assert.deepEqual(commas, Array(elements.length - 1).fill(["}", "{"]));
    assert.equal(text, `[${elements.map((element) => JSON.stringify(element, null, 2)).join("\n,\n")}\n]`);
  });

  it("are read by line in pieces of any of 500 sizes, every element once", async () => {
    const { bytes } = await post("", question);
    const expected = JSON.parse(Buffer.from(bytes).toString());
    assert.ok(expected.length > 5);
    for (let size = 1; size <= 500; size++) assert.deepEqual(readByLines(piecesOf(bytes, size)), expected, `${size}`);
  });

  it("give adk texts, SQL and rows", async () => {
    const { bytes } = await post("", inlineQuestion("total amount by region", { thinkingMode: "FAST" }));
    const kept = readAsAdk(piecesOf(bytes, 1_000));
    const rows = [
      ["North", "132.5"],
      ["South", "78"],
      ["West", "48.5"],
    ];
    assert.deepEqual(
      kept.filter((each) => "rows" in each).map((each) => ({ ...each, headers: [] })),
      [{ headers: [], rows }],
    );
    assert.ok(kept.some((each) => "sql" in each && /GROUP BY/i.test(String(each.sql))));
    assert.match(JSON.stringify(kept.findLast((each) => "text" in each)), /\?/);
  });

  it("are compact with prettyPrint=false, one element a line still", async () => {
    const { bytes } = await post("?$prettyPrint=false", inlineQuestion("total amount by region"));
    const lines = Buffer.from(bytes).toString().split("\n");
    assert.ok(lines.filter((_, at) => at % 2 === 1 && at < lines.length - 1).every((line) => line === ","));
    assert.equal(lines.at(-1), "]");
  });

  it("have enums as numbers where the client asks for it, and as names otherwise", async () => {
    const types = async (query: string) => {
      const { bytes } = await post(query, inlineQuestion("total amount by region"));
      const texts = readByLines([bytes]).flatMap(({ systemMessage }) => systemMessage?.text?.textType ?? []);
      return [...new Set(texts)].sort();
    };
    assert.deepEqual(await types("?$alt=json%3Benum-encoding=int"), [1, 2, 3, 4]);
    assert.deepEqual(await types(""), ["FINAL_RESPONSE", "FOLLOWUP_QUESTIONS", "PROGRESS", "THOUGHT"]);
  });

  it("are events with alt=sse", async () => {
    const { response, bytes } = await post("?alt=sse", inlineQuestion("total amount by region"));
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const events = Buffer.from(bytes).toString().split("\r\n\r\n").filter(Boolean);
    assert.ok(events.every((event) => event.startsWith("data: {") && !event.includes("\n")));
  });
});

describe("a streamed answer that fails", () => {
  it("is an HTTP status and the bare error before its first element", async () => {
    const { response, bytes } = await post("", { messages: [{ userMessage: { text: "?" } }] });
    assert.equal(response.status, 400);
    const { error } = JSON.parse(Buffer.from(bytes).toString());
    assert.deepEqual([error.code, error.status], [400, "INVALID_ARGUMENT"]);
    assert.match(error.message, /inline_context, data_agent_context, conversation_reference/);
  });

  it("sends a message, then an error element, and leaves the array open without breaking the connection", async () => {
    const model = new ScriptedModel(new Error("the model fell over"));
    await using failing = await startDataServer({ model });
    const { response, bytes } = await post("", inlineQuestion("total amount by region"), failing);
    assert.equal(response.status, 200);
    const elements = readByLines([bytes]);
    const [said, refused] = elements.slice(-2);
    assert.match(said.systemMessage.error.text, /ask again/);
    assert.deepEqual([refused.error.code, refused.error.status], [500, "INTERNAL"]);
    const text = Buffer.from(bytes).toString();
    assert.ok(text.endsWith("}"), "a client that parses the array must see that it is not whole");
  });
});

describe("the elements of a streamed answer", () => {
  it("leave one by one, while the next is still being made", async () => {
    const gate = Promise.withResolvers<void>();
    const plan = { kind: "reply", text: "Ask something else." };
    const model = new ScriptedModel(async () => {
      await gate.promise;
      return say(JSON.stringify(plan));
    });
    await using slow = await startDataServer({ model });
    const arrived = Promise.withResolvers<IncomingMessage>();
    const options = { method: "POST", path: `/v1/${LOCATION}:chat`, port: new URL(slow.address).port };
    httpRequest(options, arrived.resolve).end(JSON.stringify(inlineQuestion("total amount by region")));
    const response = await arrived.promise;
    let text = "";
    for await (const chunk of response) {
      text += chunk;
      // The plan is not made before what went before it has arrived.
      if (text.includes("Writing the query") && text.endsWith("\n}")) gate.resolve();
    }
    assert.match(text, /^\[\{\n.*Ask something else\..*\n\]$/s);
  });
});

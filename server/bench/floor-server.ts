// The floor: the least a Node server can do for the same turn — read JSON, call the same model twice, write one durable row,
// answer JSON. Run as a process of its own: `floor-server.ts <model port> <database file>`; it prints its port.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { Pool } from "undici";

const [modelPort = "", file = ""] = process.argv.slice(2);
const model = new Pool(`http://127.0.0.1:${modelPort}`, { connections: 256 });
const database = new DatabaseSync(file);
database.exec(
  "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE turns (session TEXT, at REAL, body TEXT)",
);
const insert = database.prepare("INSERT INTO turns VALUES (?, ?, ?)");

const contents = (text: string, acted: boolean) => [
  { role: "user", parts: [{ text }] },
  ...(acted
    ? [{ role: "user", parts: [{ functionResponse: { name: "transfer_to_agent", response: { result: "ok" } } }] }]
    : []),
];

async function callModel(text: string, acted: boolean): Promise<string> {
  const { body } = await model.request({
    path: "/v1beta/models/gemini-bench:generateContent",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ systemInstruction: { parts: [{ text: "DESK-FRONT" }] }, contents: contents(text, acted) }),
  });
  const answer = (await body.json()) as { candidates: { content: { parts: { text?: string }[] } }[] };
  return answer.candidates[0]?.content.parts[0]?.text ?? "";
}

async function turn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { config, inputs } = JSON.parse(Buffer.concat(chunks).toString()) as {
    config: { session: string };
    inputs: { text: string }[];
  };
  const said = inputs[0]?.text ?? "";
  await callModel(said, false);
  const text = await callModel(said, true);
  insert.run(config.session, Date.now(), JSON.stringify({ said, text }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ outputs: [{ text, turnCompleted: true }] }));
}

const server = createServer((request, response) => {
  turn(request, response).catch((error) => {
    process.stderr.write(`${error}\n`);
    response.writeHead(500).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

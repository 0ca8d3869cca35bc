// The floor: the least a Node server can do for the same turn — read JSON, call the same model as often, write one durable row,
// answer JSON, streamed when asked. Run as a process of its own: `floor-server.ts <model port> <database file or URL of PostgreSQL>`; it prints its port.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { Pool } from "undici";

const [modelPort = "", file = ""] = process.argv.slice(2);
const model = new Pool(`http://127.0.0.1:${modelPort}`, { connections: 256 });
const insert = file.startsWith("postgres") ? await openPostgres(file) : openSqlite(file);

type Insert = (session: string, at: number, body: string) => unknown;

function openSqlite(path: string): Insert {
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE turns (session TEXT, at REAL, body TEXT)",
  );
  const statement = database.prepare("INSERT INTO turns VALUES (?, ?, ?)");
  return (...row) => statement.run(...row);
}

async function openPostgres(connectionString: string): Promise<Insert> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query("create table floor_turns (session text, at double precision, body text)");
  return (...row) => pool.query("insert into floor_turns values ($1, $2, $3)", row);
}

interface TurnRequest {
  readonly config: { readonly session: string };
  readonly inputs: readonly { readonly text?: string }[];
}

interface Answer {
  readonly candidates: readonly { readonly content: { readonly parts: readonly { readonly text?: string }[] } }[];
}

function askModel(text: string, acted: boolean, method: string) {
  const contents = [
    { role: "user", parts: [{ text }] },
    ...(acted
      ? [{ role: "user", parts: [{ functionResponse: { name: "transfer_to_agent", response: { result: "ok" } } }] }]
      : []),
  ];
  return model.request({
    path: `/v1beta/models/gemini-bench:${method}`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ systemInstruction: { parts: [{ text: "DESK-FRONT" }] }, contents }),
  });
}

const textOf = ({ candidates }: Answer) => candidates[0]?.content.parts[0]?.text ?? "";

async function callModel(text: string, acted: boolean): Promise<string> {
  const { body } = await askModel(text, acted, "generateContent");
  return textOf((await body.json()) as Answer);
}

/** The pieces of a streamed answer. */
async function* streamModel(text: string, acted: boolean): AsyncGenerator<string, void> {
  const { body } = await askModel(text, acted, "streamGenerateContent?alt=sse");
  body.setEncoding("utf8");
  let rest = "";
  for await (const chunk of body) {
    const events = (rest + chunk).split("\r\n\r\n");
    rest = events.pop() ?? "";
    for (const event of events) yield textOf(JSON.parse(event.slice("data: ".length)) as Answer);
  }
}

async function turn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { config, inputs } = JSON.parse(Buffer.concat(chunks).toString()) as TurnRequest;
  const said = inputs[0]?.text ?? "";
  const streams = request.url?.endsWith(":streamRunSession") === true;
  const answer = streams ? streamAnswer : wholeAnswer;
  await answer(config.session, said, response);
}

/** The name of the app has the number of model calls. */
const asksTwice = (session: string) => session.includes("/apps/floor-2/");

async function wholeAnswer(session: string, said: string, response: ServerResponse): Promise<void> {
  if (asksTwice(session)) await callModel(said, false);
  const text = await callModel(said, true);
  await insert(session, Date.now(), JSON.stringify({ said, text }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ outputs: [{ text, turnCompleted: true }] }));
}

async function streamAnswer(session: string, said: string, response: ServerResponse): Promise<void> {
  if (asksTwice(session)) for await (const _ of streamModel(said, false));
  response.writeHead(200, { "content-type": "application/json" });
  let text = "";
  for await (const piece of streamModel(said, true)) {
    response.write(`${text === "" ? "[" : ","}${JSON.stringify({ outputs: [{ text: piece }] })}`);
    text += piece;
  }
  await insert(session, Date.now(), JSON.stringify({ said, text }));
  response.end(`,${JSON.stringify({ outputs: [{ turnCompleted: true }] })}]`);
}

const server = createServer((request, response) => {
  turn(request, response).catch((error) => {
    process.stderr.write(`${error}\n`);
    response.writeHead(500).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

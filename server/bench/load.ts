// Load in a process of its own: `load.ts <JSON of LoadOrder>`; N sessions take turns as fast as they are answered. Prints a LoadResult.
import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { appCopy } from "./app-copies.ts";

/** What to do: how many sessions at once, for how long, over which method. */
export interface LoadOrder {
  readonly port: number;
  readonly app: string;
  readonly method: "runSession" | "streamRunSession";
  readonly sessions: number;
  readonly seconds: number;
  /** Turns after which a session starts anew, so that histories stay short. */
  readonly turnsPerSession: number;
  /** How many copies of the app take sessions too, in random order. Default none. */
  readonly copies?: number;
  /** Turns a second of all sessions together, each at its time whether or not the one before took long. Default: as fast as they are answered. */
  readonly perSecond?: number;
  /** Whether each turn hands the client a call, which it answers in a second request. */
  readonly answersCalls?: true;
  /** Bearer token of each request. Default none. */
  readonly token?: string;
}

/** Times in milliseconds; `firstByte` is when the first text of the answer came. */
export interface LoadResult {
  readonly turns: number;
  /** With the warm-up and the failed ones. */
  readonly allTurns: number;
  readonly failures: number;
  /** Of the failures: turns that were refused early and may be sent again (429, 503). */
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly firstByteP50: number;
}

const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
const pool = new Pool(`http://127.0.0.1:${order.port}`, { connections: order.sessions });
const durations: number[] = [];
const firstBytes: number[] = [];
let failures = 0;
let refused = 0;
let allTurns = 0;
let recording = false;

async function turn(session: string): Promise<void> {
  allTurns++;
  const started = performance.now();
  let answer = await request(session, { text: "Where is my order A-1001?" });
  if (order.answersCalls && answer.isWhole)
    answer = await request(session, { toolResponses: responsesTo(answer.text) });
  if (!recording) return;
  if (!answer.isWhole) {
    failures++;
    if (answer.isRefused) refused++;
    if (failures === 1) process.stderr.write(`first failure: ${answer.text.slice(0, 400)}\n`);
    return;
  }
  durations.push(performance.now() - started);
  firstBytes.push(answer.firstAt - started);
}

interface Answer {
  readonly text: string;
  /** When the first words came. */
  readonly firstAt: number;
  readonly isWhole: boolean;
  readonly isRefused: boolean;
}

async function request(session: string, input: object): Promise<Answer> {
  const config = { session, ...(order.method === "streamRunSession" && { enableTextStreaming: true }) };
  const { statusCode, body } = await pool.request({
    path: `/v1beta/${session}:${order.method}`,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(order.token !== undefined && { authorization: `Bearer ${order.token}` }),
    },
    body: JSON.stringify({ config, inputs: [input] }),
  });
  let firstAt = 0;
  let text = "";
  for await (const chunk of body) {
    firstAt ||= performance.now();
    text += chunk;
  }
  const isWhole = statusCode === 200 && text.includes("turnCompleted");
  return { text, firstAt, isWhole, isRefused: statusCode === 429 || statusCode === 503 };
}

/** The floor hands nothing out, so its call has no id. */
function responsesTo(answer: string): object {
  const id = /"id":"([^"]*)"/.exec(answer)?.[1] ?? "";
  const tool = /"tool":"([^"]*)"/.exec(answer)?.[1] ?? "";
  return { toolResponses: [{ id, tool, response: { output: { order_id: "A-1001", status: "shipped" } } }] };
}

async function sessionLoop(until: number, due: () => Promise<void>): Promise<void> {
  while (performance.now() < until) {
    const session = `${someApp()}/sessions/${randomUUID()}`;
    for (let turns = 0; turns < order.turnsPerSession && performance.now() < until; turns++) {
      await due();
      await turn(session);
    }
  }
}

function someApp(): string {
  const at = Math.floor(Math.random() * (1 + (order.copies ?? 0)));
  return at === 0 ? order.app : appCopy(order.app, at);
}

/** Resolves when the next turn is due. A session that is late waits for nothing until it has caught up. */
function timetable(): () => Promise<void> {
  if (order.perSecond === undefined) return async () => {};
  const everyMs = (1000 * order.sessions) / order.perSecond;
  // Sessions do not begin together.
  let next = performance.now() + Math.random() * everyMs;
  return async () => {
    const wait = next - performance.now();
    next += everyMs;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  };
}

async function run(seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: order.sessions }, () => sessionLoop(until, timetable())));
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? 0;

await run(Math.min(2, order.seconds / 2)); // warm-up
recording = true;
const started = performance.now();
await run(order.seconds);
const elapsed = (performance.now() - started) / 1000;
const result: LoadResult = {
  turns: durations.length,
  allTurns,
  failures,
  refused,
  perSecond: durations.length / elapsed,
  p50: quantile(durations, 0.5),
  p99: quantile(durations, 0.99),
  firstByteP50: quantile(firstBytes, 0.5),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
await pool.close();

// Load in a process of its own: `load.ts <JSON of LoadOrder>`; N sessions take turns as fast as they are answered. Prints a LoadResult.
import { randomUUID } from "node:crypto";
import { Pool } from "undici";

/** What to do: how many sessions at once, for how long, over which method. */
export interface LoadOrder {
  readonly port: number;
  readonly app: string;
  readonly method: "runSession" | "streamRunSession";
  readonly sessions: number;
  readonly seconds: number;
  /** Turns after which a session starts anew, so that histories stay short. */
  readonly turnsPerSession: number;
}

/** Times in milliseconds; `firstByte` is when the first text of the answer came. */
export interface LoadResult {
  readonly turns: number;
  /** With the warm-up and the failed ones. */
  readonly allTurns: number;
  readonly failures: number;
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
let allTurns = 0;
let recording = false;

async function turn(session: string): Promise<void> {
  allTurns++;
  const config = { session, enableTextStreaming: order.method === "streamRunSession" };
  const started = performance.now();
  const { statusCode, body } = await pool.request({
    path: `/v1beta/${session}:${order.method}`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config, inputs: [{ text: "Where is my order A-1001?" }] }),
  });
  let first = 0;
  let text = "";
  for await (const chunk of body) {
    first ||= performance.now();
    text += chunk;
  }
  if (!recording) return;
  if (statusCode !== 200 || !text.includes("turnCompleted")) {
    failures++;
    if (failures === 1) process.stderr.write(`first failure: ${statusCode} ${text.slice(0, 400)}\n`);
    return;
  }
  durations.push(performance.now() - started);
  firstBytes.push(first - started);
}

async function sessionLoop(until: number): Promise<void> {
  while (performance.now() < until) {
    const session = `${order.app}/sessions/${randomUUID()}`;
    for (let turns = 0; turns < order.turnsPerSession && performance.now() < until; turns++) await turn(session);
  }
}

async function run(seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: order.sessions }, () => sessionLoop(until)));
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
  perSecond: durations.length / elapsed,
  p50: quantile(durations, 0.5),
  p99: quantile(durations, 0.99),
  firstByteP50: quantile(firstBytes, 0.5),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
await pool.close();

// Clients that hold conversations open, in a process of their own: `bidi-clients.ts <JSON of BidiOrder>`. Reads one word a line:
// `open` opens all of them and sends config and variables, which are acknowledged; `turn` has each take one turn, `quit` ends. Prints a BidiReport a line.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { WebSocket } from "ws";

/** What to open. */
export interface BidiOrder {
  readonly port: number;
  readonly app: string;
  readonly wire: "websocket" | "grpc";
  readonly conversations: number;
  /** Conversations that open, or take a turn, at the same time. */
  readonly atOnce: number;
}

/** How a step went; `p50` and `p99` are milliseconds of one turn. */
export interface BidiReport {
  readonly done: number;
  readonly failures: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

interface Output {
  readonly sessionOutput?: { readonly turnCompleted?: boolean };
}

/** One open conversation. */
interface Conversation {
  /** Resolves when the turn is complete. */
  turn(): Promise<void>;
}

const STREAMS_PER_CONNECTION = 200;
const INPUT = { realtimeInput: { text: "Where is my order A-1001?" } };
/** Begins no turn, but is acknowledged: then the server holds the conversation. */
const VARIABLES = { realtimeInput: { variables: {} } };

const order = JSON.parse(process.argv[2] ?? "") as BidiOrder;
const conversations: Conversation[] = [];
const clients: grpc.Client[] = [];
const wires = { websocket: openWebSocket, grpc: openGrpc };

for await (const word of createInterface({ input: process.stdin })) {
  if (word === "quit") process.exit(0);
  const numbers = Array.from({ length: order.conversations }, (_, index) => index);
  const report =
    word === "open"
      ? await each(numbers, async (index) => void conversations.push(await wires[order.wire](index)))
      : await each(conversations, (conversation) => conversation.turn());
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<BidiReport> {
  const queue = items.values();
  const durations: number[] = [];
  let failures = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      const begun = performance.now();
      try {
        await work(item);
        durations.push(performance.now() - begun);
      } catch (error) {
        failures++;
        if (failures === 1) process.stderr.write(`first failure: ${String(error)}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: order.atOnce }, worker));
  const sorted = durations.toSorted((left, right) => left - right);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const seconds = (performance.now() - started) / 1000;
  return { done: durations.length, failures, seconds, p50: quantile(0.5), p99: quantile(0.99) };
}

function configOf(index: number): object {
  return { config: { session: `${order.app}/sessions/idle-${order.wire}-${process.pid}-${index}` } };
}

async function openWebSocket(index: number): Promise<Conversation> {
  const path = "ws/google.cloud.ces.v1.SessionService/BidiRunSession/locations/us";
  const socket = new WebSocket(`ws://127.0.0.1:${order.port}/${path}`, { perMessageDeflate: false });
  const answer = waitForAnswers();
  socket.on("message", (data) => answer.heard(JSON.parse(String(data)) as Output));
  socket.on("close", (code, reason) => answer.failed(new Error(`closed: ${code} ${String(reason)}`)));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(JSON.stringify(configOf(index)));
  await answer.after(() => socket.send(JSON.stringify(VARIABLES)), false);
  return { turn: () => answer.after(() => socket.send(JSON.stringify(INPUT)), true) };
}

async function openGrpc(index: number): Promise<Conversation> {
  const place = Math.floor(index / STREAMS_PER_CONNECTION);
  clients[place] ??= newGrpcClient();
  const { bidiRunSession } = clients[place] as unknown as {
    bidiRunSession(): grpc.ClientDuplexStream<object, Output>;
  };
  const stream = bidiRunSession.call(clients[place]);
  const answer = waitForAnswers();
  stream.on("data", answer.heard);
  stream.on("error", answer.failed);
  stream.write(configOf(index));
  await answer.after(() => stream.write(VARIABLES), false);
  return { turn: () => answer.after(() => stream.write(INPUT), true) };
}

function newGrpcClient(): grpc.Client {
  const protos = dirname(createRequire(import.meta.url).resolve("google-proto-files/package.json"));
  const file = "google/cloud/ces/v1beta/session_service.proto";
  const definition = loadSync(file, { includeDirs: [protos] })["google.cloud.ces.v1beta.SessionService"];
  const Client = grpc.makeGenericClientConstructor(definition as grpc.ServiceDefinition, "SessionService");
  return new Client(`127.0.0.1:${order.port}`, grpc.credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
}

/** Pairs each message with its response: a complete turn, or an acknowledgement. */
function waitForAnswers() {
  let waiting: { resolve: () => void; reject: (error: Error) => void; turn: boolean } | undefined;
  return {
    after: (send: () => void, turn: boolean) =>
      new Promise<void>((resolve, reject) => {
        waiting = { resolve, reject, turn };
        send();
      }),
    heard: ({ sessionOutput }: Output) => {
      if (!waiting?.turn || sessionOutput?.turnCompleted) waiting?.resolve();
    },
    failed: (error: Error) => waiting?.reject(error),
  };
}

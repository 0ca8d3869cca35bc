import { setTimeout as delay } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";
import { startPostgres } from "#testing";
import { restOf } from "../../rest.ts";
import { type ClientHistory, type SessionHistory, violationsOf } from "./history.ts";
import { type ReplicaProcess, startReplica } from "./replicas.ts";
import { startTcpProxy } from "./tcp-proxy.ts";

/** How much is done. */
interface ChaosOptions {
  readonly sessions: number;
  /** Clients that talk in each session at the same time. Default 1. */
  readonly clients?: number;
  /** Answered turns in all, at least. */
  readonly turns: number;
  /** Rounds of all faults, at least: they go on until all turns are answered. */
  readonly rounds: number;
  /** Milliseconds between two faults. */
  readonly pauseMs: number;
  /** Turns a second that all sessions send together, with pauses between them as people have. Default: each sends the next one when it has an answer. */
  readonly pace?: number | undefined;
  /** Milliseconds after which a server that was killed is started again: its start takes processors that the others would have to themselves on machines of their own. Default 0. */
  readonly awayMs?: number;
  /** Ends it before all turns are answered; what was answered until then is checked. */
  readonly signal?: AbortSignal;
  readonly report?: (line: string) => void;
}

/** What came of it. */
interface ChaosResult {
  readonly answered: number;
  readonly unanswered: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Milliseconds from the end of a server to the next answer, for each session that it was answering. */
  readonly takeovers: readonly number[];
  readonly violations: readonly string[];
}

const APP = "projects/p/locations/us/apps/chaos";
const REPLICAS = 3;
/** Longer than a lease counts. */
const FREEZE_MS = 2_200;

/**
 * Lets sessions talk to three servers over one database, each turn to any of them, while servers are killed, frozen and drained, connections to the database
 * are cut and stalled, and the database restarts. Then compares what clients got with what is stored.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres();
  resources.defer(() => postgres.stop());
  const proxy = await startTcpProxy(Number(new URL(postgres.url).port));
  resources.defer(() => proxy.close());
  const url = new URL(postgres.url);
  url.port = String(proxy.port);
  // At the same time: one of them migrates the database.
  const starting = Array.from({ length: REPLICAS }, async () => {
    const replica = await startReplica(url.href);
    resources.defer(() => replica.close());
    return replica;
  });
  // What started is ended with the others where one does not start.
  await Promise.allSettled(starting);
  const replicas = await Promise.all(starting);
  await createApp(replicas[0]?.address ?? "");

  const clients = new Clients(replicas, options);
  const faults: Record<string, number> = {};
  const talking = clients.run();
  const [one, two, three] = replicas as [ReplicaProcess, ReplicaProcess, ReplicaProcess];
  const killed = async (replica: ReplicaProcess) => {
    clients.lose(replica);
    await replica.kill();
    await delay(options.awayMs ?? 0);
    await replica.start();
  };
  const kinds: readonly (readonly [string, () => Promise<void> | void])[] = [
    ["kill", () => killed(one)],
    ["cut connections", () => proxy.cut()],
    ["freeze", () => two.freeze(FREEZE_MS)],
    ["restart of the database", () => postgres.restart()],
    ["stall", () => proxy.stall(700)],
    ["rolling restart", () => three.drain().then(() => three.start())],
    ["kill", () => killed(three)],
    ["cut connections", () => proxy.cut()],
  ];
  const isEnough = () => clients.isDone || options.signal?.aborted === true;
  for (let round = 0; round < options.rounds || !isEnough(); round += 1) {
    for (const [kind, act] of kinds) {
      await delay(options.pauseMs);
      await act();
      faults[kind] = (faults[kind] ?? 0) + 1;
    }
    options.report?.(
      `${clients.answered} turns answered, ${clients.unanswered} not, after ${round + 1} rounds of faults`,
    );
  }
  clients.stop();
  await talking;
  const violations = await check(postgres.url, clients.histories);
  const { answered, unanswered, takeovers } = clients;
  return { answered, unanswered, faults, takeovers, violations };
}

async function createApp(address: string): Promise<void> {
  const rest = restOf(() => ({ address }));
  const [, parent = ""] = /^(.*)\/apps/.exec(APP) ?? [];
  await rest("POST", `${parent}/apps?appId=chaos`, { displayName: "Chaos" });
  await rest("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", llmAgent: {}, instruction: "Repeat." });
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
}

/** The clients of all sessions. */
class Clients {
  readonly histories: readonly SessionHistory[];
  readonly takeovers: number[] = [];
  answered = 0;
  unanswered = 0;
  readonly #replicas: readonly ReplicaProcess[];
  readonly #options: ChaosOptions;
  /** The replica that answers a client at the moment, and since when a client waits for its next answer because that one ended. */
  readonly #at = new Map<ClientHistory, ReplicaProcess>();
  readonly #lostAt = new Map<ClientHistory, number>();
  readonly #stop = new AbortController();

  constructor(replicas: readonly ReplicaProcess[], options: ChaosOptions) {
    this.#replicas = replicas;
    this.#options = options;
    this.histories = Array.from({ length: options.sessions }, (_, at) => ({
      session: `session-${at}`,
      clients: Array.from({ length: options.clients ?? 1 }, () => ({ sent: [], answered: [] })),
    }));
  }

  get isDone(): boolean {
    return this.answered >= this.#options.turns;
  }

  async run(): Promise<void> {
    const talks = this.histories.flatMap(({ session, clients }) =>
      clients.map((client, at) => this.#talk(session, `client ${at}`, client)),
    );
    await Promise.all(talks);
  }

  stop(): void {
    this.#stop.abort();
  }

  /** A replica is about to end. */
  lose(replica: ReplicaProcess): void {
    const now = performance.now();
    for (const [client, at] of this.#at) if (at === replica) this.#lostAt.set(client, now);
  }

  async #talk(session: string, name: string, client: ClientHistory): Promise<void> {
    await this.#pause();
    while (!this.#stop.signal.aborted) {
      const text = `${session} hears ${name} say ${client.sent.length}`;
      client.sent.push(text);
      const replica = this.#replicas[Math.floor(Math.random() * this.#replicas.length)] as ReplicaProcess;
      this.#at.set(client, replica);
      if (await this.#send(replica, session, text)) {
        client.answered.push(text);
        this.answered += 1;
        const lostAt = this.#lostAt.get(client);
        if (lostAt !== undefined) this.takeovers.push(performance.now() - lostAt);
        this.#lostAt.delete(client);
        this.#at.delete(client);
        await this.#pause();
      } else {
        this.unanswered += 1;
        await delay(20);
      }
      this.#at.delete(client);
    }
  }

  /** Between an answer and the next turn, of any length around the one that keeps the pace. What was not answered is said again at once. */
  async #pause(): Promise<void> {
    const { pace, sessions, clients = 1 } = this.#options;
    if (pace === undefined) return;
    const ms = ((-1_000 * sessions * clients) / pace) * Math.log(1 - Math.random());
    await delay(ms, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  /** Whether the whole answer arrived. */
  async #send({ address }: ReplicaProcess, id: string, text: string): Promise<boolean> {
    const session = `${APP}/sessions/${id}`;
    try {
      const response = await fetch(`${address}/v1beta/${session}:runSession`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ config: { session }, inputs: [{ text }] }),
        signal: AbortSignal.timeout(10_000),
      });
      return (await response.text()).includes(`You said ${text}"`) && response.ok;
    } catch {
      // The server ended, or does not answer.
      return false;
    }
  }
}

async function check(url: string, histories: readonly SessionHistory[]): Promise<readonly string[]> {
  const logger = createLogger("silent");
  const storage = await openStorage({ dataDir: "", database: { url }, clock: systemClock, logger });
  try {
    const found: string[] = [];
    for (const history of histories) {
      const turns = await storage.conversations.getTurns(`${APP}/conversations/${history.session}`);
      const stored = turns.map(({ body }) => saidIn(body));
      if (turns.some(({ index }, at) => index !== at + 1)) found.push(`${history.session}: turns are missing`);
      found.push(...violationsOf(history, stored));
    }
    return found;
  } finally {
    await storage.close();
  }
}

/** What the user said in a stored turn. */
function saidIn(body: Uint8Array): string {
  const [first] = fromBinary(Conversation_TurnSchema, body).messages;
  const [chunk] = first?.chunks ?? [];
  return chunk?.data.case === "text" ? chunk.data.value : "";
}

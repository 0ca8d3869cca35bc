// `npm run bench -- at-rest [--conversations 100000] [--apps 10000] [--only PostgreSQL] [--quick]`: what stored conversations and apps cost a server that nobody asks about them: memory, and the
// turns of others. A server over an empty store and one over a full store are measured in turn.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startPostgres, withoutPostgres } from "#testing";
import { createBenchApps, PLAIN_APP } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";
import { watchLoad } from "./machine-load.ts";
import { type Beside, type Measured, measure, measurePairs, type Pair } from "./pairs.ts";
import {
  databaseVariables,
  type Running,
  residentMegabytes,
  startFrontdesk,
  startScript,
  writeModelConfig,
} from "./processes.ts";
import { type Figure, keepFigures } from "./scale-page.ts";
import {
  bytesOf,
  type CopyStore,
  copyApp,
  copyConversation,
  openPostgresCopies,
  openSqliteCopies,
} from "./stored-copies.ts";
import { say } from "./turns.ts";

/** How much is stored, and how long it is measured. */
interface AtRestOptions {
  /** Stored conversations, of two turns each. */
  readonly conversations: number;
  /** Stored apps besides the one that is measured. */
  readonly apps: number;
  readonly quick: boolean;
  /** Part of the name of the dialects that are measured; "" = both. */
  readonly only: string;
  /** Whether docs/scale.md gets the figures. */
  readonly publishes: boolean;
}

/** A store of servers, of either dialect. */
interface Dialect {
  readonly name: string;
  /** A store that nothing is in. */
  create(name: string): Promise<Store>;
  readonly beside: Beside;
}

interface Store {
  start(): Promise<Running>;
  /** While no server runs. */
  open(): Promise<CopyStore>;
}

/** Turns of the conversation that is copied. */
const TURNS = 2;

/** Prints a table for SQLite, and one for PostgreSQL where it is installed. */
export async function benchAtRest(folder: string, options: AtRestOptions): Promise<void> {
  await using model = await startScript("fake-model-server.ts");
  const configFile = writeModelConfig(folder, model);
  say(`${availableParallelism()} processors`);
  const figures: Figure[] = [];
  const load = watchLoad();
  if ("SQLite".includes(options.only))
    figures.push(...(await measureDialect(sqliteStores(folder, configFile, model), options)));
  const missing = withoutPostgres();
  if (missing !== undefined) say(missing);
  else if ("PostgreSQL".includes(options.only)) {
    await using resources = new AsyncDisposableStack();
    const settings = ["shared_buffers=256MB", "max_wal_size=4GB"];
    const postgres = await startPostgres({ fsync: true, settings });
    resources.defer(() => postgres.stop());
    figures.push(...(await measureDialect(postgresStores(folder, configFile, model, postgres), options)));
  }
  if (options.publishes) keepFigures("at-rest", figures, load);
}

function sqliteStores(folder: string, configFile: string, model: Running): Dialect {
  return {
    name: "SQLite",
    beside: { model, database: undefined },
    create: async (name) => {
      const data = join(folder, name);
      return {
        start: () => startFrontdesk(data, configFile),
        open: async () => openSqliteCopies(join(data, "frontdesk.db")),
      };
    },
  };
}

interface Postgres {
  readonly url: string;
  readonly pid: number | undefined;
}

function postgresStores(folder: string, configFile: string, model: Running, { url, pid }: Postgres): Dialect {
  return {
    name: "PostgreSQL",
    beside: { model, database: { child: { pid } } },
    create: async (name) => {
      await using maintenance = await openPostgresCopies(url);
      await maintenance.run(`create database "${name}"`);
      const own = new URL(url);
      own.pathname = `/${name}`;
      const variables = databaseVariables(own.href);
      return {
        start: () => startFrontdesk(join(folder, `over-${name}`), configFile, { variables }),
        open: () => openPostgresCopies(own.href),
      };
    },
  };
}

async function measureDialect(dialect: Dialect, options: AtRestOptions): Promise<Figure[]> {
  const { conversations, apps, quick } = options;
  const seconds = quick ? 2 : 8;
  const empty = await prepare(dialect, "empty");
  const full = await prepare(dialect, "full");
  const many = await prepare(dialect, "many");
  const [began, before] = [performance.now(), await sizeOf(full)];
  await fill(full, (store) => copyConversation(store, `${PLAIN_APP}/conversations/${ORIGINAL}`, conversations));
  const bytes = ((await sizeOf(full)) - before) / (conversations * TURNS);
  await fill(many, (store) => copyApp(store, PLAIN_APP, apps));
  say(
    `\n${dialect.name}: ${counted(conversations)} conversations and ${counted(apps)} apps stored in ${secondsSince(began)}; ${bytes.toFixed(0)} bytes for a stored turn, with its indexes`,
  );
  say(HEADER);
  const figures: Figure[] = [{ what: `bytes of a stored turn, ${dialect.name}`, figure: bytes.toFixed(0) }];
  for (const [store, what, copies] of [
    [full, `${counted(conversations)} conversations`, 0],
    [many, `${counted(apps)} apps`, 0],
    [many, `${counted(apps)} apps, turns in all`, apps],
  ] as const) {
    // Both new, because a server gets faster over its first thousands of turns.
    await using base = await started(empty);
    await using other = await started(store);
    const order = { app: PLAIN_APP, method: "runSession", sessions: 16, seconds, turnsPerSession: 5 } as const;
    const run = (server: Running, more: Partial<LoadOrder> = {}) =>
      measure(dialect.beside, server, { ...order, ...more, port: server.port });
    await Promise.all([run(base.server), run(other.server, { copies })]); // warm-up
    const compared = await measurePairs(
      () => run(base.server),
      () => run(other.server, { copies }),
    );
    figures.push(...report(`${dialect.name}, ${what}`, compared, { base, other }));
  }
  return figures;
}

interface Started extends AsyncDisposable {
  readonly server: Running;
  /** Resident memory before its first turn. */
  readonly idleMb: number;
}

async function started(store: Store): Promise<Started> {
  const server = await store.start();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return {
    server,
    idleMb: residentMegabytes(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What a start leaves to be collected is collected. */
const SETTLE_MS = 3_000;

/** The session whose conversation is copied. */
const ORIGINAL = "original";

/** A store with the apps of the bench and one conversation, as a server stores them. */
async function prepare(dialect: Dialect, name: string): Promise<Store> {
  const store = await dialect.create(name);
  await using server = await store.start();
  await createBenchApps(server.port);
  for (let turn = 0; turn < TURNS; turn += 1) await takeTurn(server.port);
  return store;
}

async function takeTurn(port: number): Promise<void> {
  const session = `${PLAIN_APP}/sessions/${ORIGINAL}`;
  const response = await fetch(`http://127.0.0.1:${port}/v1beta/${session}:runSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { session }, inputs: [{ text: "Where is my order A-1001?" }] }),
  });
  if (!response.ok) throw new Error(`the first turn: ${response.status} ${await response.text()}`);
}

async function fill(store: Store, work: (store: CopyStore) => Promise<void>): Promise<void> {
  await using open = await store.open();
  await work(open);
}

async function sizeOf(store: Store): Promise<number> {
  await using open = await store.open();
  return await bytesOf(open);
}

const HEADER =
  "stored                                      turns/s  of none  CPU ms  of none  database ms  of none  MB idle  more  MB later";

function report(
  what: string,
  { least, measured, shares }: Pair & { readonly shares: string },
  memory: Memory,
): Figure[] {
  const speed = measured.perSecond / least.perSecond;
  const processor = costOf(measured) / costOf(least);
  const { base, other } = memory;
  const gained = other.idleMb - base.idleMb;
  const more = `${gained >= 0 ? "+" : ""}${gained.toFixed(0)}`;
  const cells = [
    what.padEnd(42),
    measured.perSecond.toFixed(0).padStart(7),
    percent(speed).padStart(7),
    measured.processorMs.toFixed(2).padStart(6),
    percent(measured.processorMs / least.processorMs).padStart(7),
    measured.databaseMs.toFixed(2).padStart(11),
    (least.databaseMs > 0 ? percent(measured.databaseMs / least.databaseMs) : "").padStart(7),
    other.idleMb.toFixed(0).padStart(7),
    more.padStart(4),
    residentMegabytes(other.server).toFixed(0).padStart(8),
  ];
  const failed = measured.failures + least.failures;
  say(`${cells.join("  ")}  (${shares} %)${failed > 0 ? `  ${failed} FAILED` : ""}`);
  return [
    { what: `turns a second with ${what}, of those with none`, figure: `${percent(speed)} (${shares})` },
    { what: `processor of a turn with ${what}, of one with none`, figure: percent(processor) },
    { what: `memory of an idle server with ${what}, beside one with none`, figure: `${more} MB` },
  ];
}

interface Memory {
  readonly base: Started;
  readonly other: Started;
}

/** Milliseconds of processor, of server and database. */
function costOf({ processorMs, databaseMs }: Measured): number {
  return processorMs + databaseMs;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}

function secondsSince(began: number): string {
  return `${((performance.now() - began) / 1_000).toFixed(0)} s`;
}

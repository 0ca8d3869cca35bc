// `npm run bench -- replicas [--sessions 32] [--quick]`: two servers over one PostgreSQL against one, with the same sessions and the same clients.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startPostgres, withoutPostgres } from "#testing";
import { createBenchApps, PLAIN_APP } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";
import { watchLoad } from "./machine-load.ts";
import { type Measured, measurePairs, measureTogether } from "./pairs.ts";
import { databaseVariables, type Running, startFrontdesk, startScript, writeModelConfig } from "./processes.ts";
import { keepFigures } from "./scale-page.ts";
import { say } from "./turns.ts";

interface ReplicasOptions {
  /** At once, over all servers. */
  readonly sessions: number;
  readonly quick: boolean;
  /** Whether docs/scale.md gets the figures. */
  readonly publishes: boolean;
}

/** Processes that want a processor at the same time: two servers, the database, the model and the clients. */
const WANTED = 5;

/** Prints turns a second and processor time of one server and of two, and what follows where each server has processors of its own. */
export async function benchReplicas(folder: string, { sessions, quick, publishes }: ReplicasOptions): Promise<void> {
  const missing = withoutPostgres();
  if (missing !== undefined) return say(missing);
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres({ fsync: true, settings: ["shared_buffers=128MB"] });
  resources.defer(() => postgres.stop());
  await using model = await startScript("fake-model-server.ts");
  const configFile = writeModelConfig(folder, model);
  const variables = databaseVariables(postgres.url);
  await using one = await startFrontdesk(join(folder, "one"), configFile, { variables });
  await using two = await startFrontdesk(join(folder, "two"), configFile, { variables });
  await createBenchApps(one.port);
  const beside = { model, database: { child: { pid: postgres.pid } } };
  const half = { app: PLAIN_APP, method: "runSession", sessions: sessions / 2, turnsPerSession: 5 } as const;
  // Clients are two processes in either case, so that they are not what makes the difference.
  const run = (servers: readonly Running[], first: Running, second: Running) => {
    const orders: LoadOrder[] = [first, second].map(({ port }) => ({ ...half, port, seconds: quick ? 3 : 8 }));
    return measureTogether(beside, servers, orders);
  };
  const toOne = () => run([one], one, one);
  const toTwo = () => run([one, two], one, two);
  await toTwo(); // Not counted: engines compile what is called often.
  const load = watchLoad();
  const { least, measured, shares } = await measurePairs(toOne, toTwo);
  print(least, measured, shares);
  if (publishes) keepFigures("replicas", figuresOf(least, measured, shares), load);
}

function print(least: Measured, measured: Measured, shares: string): void {
  say("servers  turns/s  server ms  database ms    p50 ms    p99 ms");
  for (const [count, side] of [
    [1, least],
    [2, measured],
  ] as const)
    say(
      [
        String(count).padStart(7),
        side.perSecond.toFixed(0).padStart(7),
        side.processorMs.toFixed(2).padStart(9),
        side.databaseMs.toFixed(2).padStart(11),
        side.p50.toFixed(2).padStart(8),
        side.p99.toFixed(2).padStart(8),
      ].join("  ") + (side.failures > 0 ? `  ${side.failures} FAILED` : ""),
    );
  say("");
  for (const { what, figure } of figuresOf(least, measured, shares)) say(`${what}: ${figure}`);
}

/**
 * Servers that share processors with each other, the database and the clients cannot be faster than one. What two are where each has processors of its own follows
 * from what a turn costs a server: as much on two as on one is twice as many turns, until the database has no processor left.
 */
function figuresOf(least: Measured, measured: Measured, shares: string) {
  const processors = availableParallelism();
  const enough = processors >= WANTED;
  const times = (ratio: number) => `${ratio.toFixed(2)} times`;
  return [
    {
      what: `two servers against one, measured on ${processors} processors${enough ? "" : `, where ${WANTED} processes want one`}`,
      figure: `${times(measured.perSecond / least.perSecond)} the turns a second (${shares} %)`,
    },
    {
      what: "processor of a turn on two servers, of one on one: server, database",
      figure: `${percent(measured.processorMs / least.processorMs)}, ${percent(measured.databaseMs / least.databaseMs)}`,
    },
    {
      what: "computed from these, where each server has a processor of its own",
      figure: `${times((2 * least.processorMs) / measured.processorMs)} the turns a second of one`,
    },
    {
      what: "computed: turns a second for which one processor of the database is enough",
      figure: (1_000 / measured.databaseMs).toFixed(0),
    },
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

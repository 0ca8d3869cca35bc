import { type Logger, once } from "#base";
import type { JobQueues } from "../../jobs/contract.ts";
import type { Connections } from "../connections.ts";
import type { Outages } from "../outages.ts";
import { jobDatabase, QUIET } from "./job-database.ts";
import { DEAD_LETTERS, PgBossQueue } from "./pg-boss-queue.ts";

interface PgBossDeps {
  readonly connections: Connections;
  /** The schema of pg-boss's tables. */
  readonly schema: string;
  readonly outages: Outages;
  readonly logger: Logger;
  /** Tells the other servers that a queue has jobs that this one has no room for. */
  readonly tell: (queue: string) => Promise<void>;
  /** Called with what the others tell. */
  readonly onTold: (listener: (queue: string) => void) => void;
}

const DAY_SECONDS = 86_400;

/**
 * How a queue keeps its jobs. Whose work it is counts the attempts, so pg-boss has no limit of its own. A job whose server has been silent for a minute waits again, and so
 * does one that took a day, the most that pg-boss allows: such work goes on where it was.
 */
const QUEUE = {
  policy: "exclusive",
  retryLimit: 1_000_000,
  retryBackoff: true,
  expireInSeconds: DAY_SECONDS,
  heartbeatSeconds: 60,
  retentionSeconds: 365 * DAY_SECONDS,
  deleteAfterSeconds: 3_600,
} as const;

/** How often pg-boss looks after the queues. Jobs that depend on others, which it would look for every five seconds, are not used. */
const UPKEEP = { supervise: true, maintenanceIntervalSeconds: 600, flowIntervalSeconds: DAY_SECONDS };

/** Creates the queues that all servers of a database share (DB-55). pg-boss starts with the first of them. `close` ends what it does by itself. */
export function createPgBossQueues(deps: PgBossDeps): JobQueues & { close(): Promise<void> } {
  const queues = new Map<string, PgBossQueue>();
  const start = once(async () => {
    const { PgBoss } = await import("pg-boss");
    const { connections, schema, outages } = deps;
    const boss = new PgBoss({ ...QUIET, ...UPKEEP, db: jobDatabase(connections, outages), schema });
    boss.on("error", (error) => outages.report(error, "the queues of jobs could not be looked after"));
    await boss.start();
    await boss.createQueue(DEAD_LETTERS, { retentionSeconds: QUEUE.retentionSeconds });
    return boss;
  });
  deps.onTold((name) => queues.get(name)?.wake());
  const stop = () => Promise.all([...queues.values()].map((queue) => queue.stop()));
  return {
    open: async (options) => {
      const boss = await start();
      const seconds = (milliseconds: number) => Math.max(1, Math.round(milliseconds / 1000));
      const pauses = { retryDelay: seconds(options.firstPauseMs), retryDelayMax: seconds(options.longestPauseMs) };
      const { policy, ...kept } = { ...QUEUE, ...pauses };
      await boss.createQueue(options.name, { policy });
      // An earlier release may have made it, with others.
      await boss.updateQueue(options.name, kept);
      const queue = new PgBossQueue(boss, options, deps);
      queues.set(options.name, queue);
      queue.wake();
      return queue;
    },
    stop: () => void stop(),
    close: async () => {
      if (queues.size === 0) return;
      await stop();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await (await start()).stop({ graceful: false });
    },
  };
}

import type { Logger } from "#base";
import type { Job, JobEnd, JobQueues } from "#storage";
import { createFaultLog } from "./fault-log.ts";
import { type PeriodicJob, type RunningJob, repeat } from "./repeat.ts";

/** Pauses after a pass that a server could not begin, in milliseconds. */
const PAUSES = { firstPauseMs: 1_000, longestPauseMs: 60_000 };

/**
 * Starts passes that one server makes for all of the data, by a shared queue (DB-55, DB-56): each server asks for a pass when its time has come, and of those that ask within the
 * same interval one is made. A pass that fails is logged as in `repeat`, and the next one is made as usual.
 */
export async function sharePasses(
  jobs: JobQueues,
  passes: readonly PeriodicJob[],
  logger: Logger,
): Promise<RunningJob> {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  const logged = new Map(passes.map((pass) => [pass.name, { pass, log: createFaultLog(pass.name, logger) }]));

  async function run({ key, again }: Job): Promise<JobEnd> {
    const found = logged.get(key);
    if (!found || stop.signal.aborted) {
      await again(found ? "the server stops" : "the server is of another release");
      return "again";
    }
    const done = found.pass.run(stop.signal).then(found.log.passed, found.log.failed);
    running.add(done);
    await done;
    running.delete(done);
    return "done";
  }

  const queue = await jobs.open({ name: "passes", concurrency: passes.length, ...PAUSES, run });
  const asking = passes.map(({ name, everyMs, ...pass }) =>
    repeat({ ...pass, name, everyMs, run: () => queue.addEvery(name, everyMs) }, logger),
  );
  return {
    stop: async () => {
      stop.abort();
      await Promise.all([...asking.map((job) => job.stop()), ...running]);
    },
  };
}

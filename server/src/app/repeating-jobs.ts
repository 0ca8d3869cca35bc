import type { App } from "./build-app.ts";
import { type RunningJob, repeat } from "./repeat.ts";
import { sharePasses } from "./share-passes.ts";
import type { FollowedTls } from "./tls-identity.ts";

/** Pause between two runs of the job that deletes conversations after their retention window. */
const RETENTION_EVERY_MS = 600_000;

/** Milliseconds until its first run: some servers never run for ten minutes, as those that are started for a test, or again with every change. */
const FIRST_RETENTION_MS = 60_000;

/** Pause between two looks for evaluation runs that are due. */
const SCHEDULES_EVERY_MS = 30_000;

/** Pause between two looks for operations of servers that have ended. */
const SHARING_EVERY_MS = 800;

/** Milliseconds between two messages about what was used of quotas. */
const QUOTAS_EVERY_MS = 250;

/** Milliseconds after which what is used up of quotas is stored: what a server that is killed gives back at most. */
const KEEP_QUOTAS_EVERY_MS = 5_000;

/** Pause between two looks for a certificate that was renewed. */
const TLS_EVERY_MS = 10_000;

/** Starts what a server does again and again. Its `stop` stops everything. */
export async function startRepeatingJobs(app: App, tls?: Pick<FollowedTls, "look">): Promise<RunningJob> {
  const { logger, keep, crawls, schedules, refreshes, shareQuotas, keepQuotas, sweep } = app;
  const retention = { everyMs: RETENTION_EVERY_MS, firstMs: FIRST_RETENTION_MS };
  const passes = [
    { name: "retention", ...retention, run: keep },
    { name: "scheduled evaluation runs", everyMs: SCHEDULES_EVERY_MS, run: schedules.pass },
    { name: "scheduled refreshes of pinned questions", everyMs: SCHEDULES_EVERY_MS, run: refreshes.pass },
    ...crawls.map(({ store, everyMs, run }) => ({ name: `the crawl of ${store}`, everyMs, run })),
  ];
  const jobs = [
    await sharePasses(app.storage.jobs, passes, logger),
    // Each server has copies of its own.
    repeat({ name: "removing old copies of files", ...retention, run: sweep }, logger),
  ];
  if (app.storage.replica)
    jobs.push(repeat({ name: "taking over operations", everyMs: SHARING_EVERY_MS, run: app.shareOperations }, logger));
  if (shareQuotas) jobs.push(repeat({ name: "sharing quotas", everyMs: QUOTAS_EVERY_MS, run: shareQuotas }, logger));
  if (keepQuotas) jobs.push(repeat({ name: "keeping quotas", everyMs: KEEP_QUOTAS_EVERY_MS, run: keepQuotas }, logger));
  if (tls) jobs.push(repeat({ name: "files of TLS", everyMs: TLS_EVERY_MS, run: async () => tls.look() }, logger));
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/ces/agent_service";
import { OperationMetadataSchema as DataOperationMetadataSchema } from "@frontdesk/protos/gda/data_agent_service";
import type { DataStores, Refreshes, RefreshOutcomes } from "#analytics";
import type { Schedules } from "#evaluation";
import { type Operations, type ResumableKind, SERVER_WIDE } from "#operations";
import type { Search } from "#search";
import type { Retention } from "#session";
import { Code } from "#status";
import type { A2a } from "./a2a.ts";
import { type ClockWatch, RETENTION } from "./clock-watch.ts";
import { type Crawl, createCrawls } from "./crawls.ts";
import { createExclusiveRunner } from "./exclusive-runner.ts";
import type { Platform } from "./platform.ts";
import { createRetentionPass, type RetentionPass } from "./retention-pass.ts";
import type { StrayToolFiles } from "./tools.ts";

/** What servers do again and again: of several over one database one at a time, but for `sweep`. */
export interface RepeatingWork {
  /** A pass of retention. What fails is tried again (DB-17). */
  readonly keep: RetentionPass;
  /** Removes copies of files of tools that this server has and nothing refers to. */
  readonly sweep: () => Promise<void>;
  /** Makes the dead letter that asks for a confirmation, where the clock is doubted (DB-25). */
  readonly tellDoubt: () => Promise<void>;
  /** Crawls of data stores. What fails is tried again (DB-17). */
  readonly crawls: readonly Crawl[];
  /** Schedules of evaluation runs. */
  readonly schedules: Pick<Schedules, "pass">;
  /** Schedules of pinned questions. Each that fails is tried again (DB-17). */
  readonly refreshes: Pick<Refreshes, "pass">;
  /** What `Operations.recover` needs to try again. */
  readonly kinds: readonly ResumableKind[];
}

interface RepeatingParts {
  readonly operations: Operations;
  readonly retention: Retention;
  readonly a2a: A2a;
  readonly data: DataStores;
  readonly search: Search;
  readonly toolFiles: StrayToolFiles;
  readonly schedules: Schedules;
  readonly refreshesWith: (outcomes: RefreshOutcomes) => Refreshes;
}

const REFRESH = "RefreshPinnedQuestion";
const INDEX = "IndexDataStore";

/** Creates the passes, and what tries again what failed of them. */
export function createRepeatingWork(
  { config, storage, clockWatch, clock, logger }: Platform,
  { operations, retention, a2a, data, search, toolFiles, schedules, refreshesWith }: RepeatingParts,
): RepeatingWork {
  const auditKeptMs = config.audit.keepMs;
  const runExclusively = createExclusiveRunner(storage);
  const pass = createRetentionPass({
    retention,
    data,
    a2a,
    toolFiles,
    storage,
    runExclusively,
    clockWatch,
    auditKeptMs,
    clock,
    logger,
  });
  const refreshes = refreshesWith({
    succeeded: (schedule) => operations.repeatSucceeded({ kind: REFRESH, subject: schedule }),
    failed: (schedule, error) => {
      const metadata = create(DataOperationMetadataSchema, { target: schedule, verb: "refresh" });
      return operations.repeatFailed({ kind: REFRESH, subject: schedule, metadata, error });
    },
  });
  search.onIndexed((store, error) => {
    const work = { kind: INDEX, subject: subjectOf(store) };
    if (!error) return operations.repeatSucceeded(work);
    return operations.repeatFailed({ ...work, metadata: create(OperationMetadataSchema), error });
  });
  const retentionFailed = (error: unknown) =>
    operations.repeatFailed({ ...RETENTION, metadata: create(OperationMetadataSchema), error });
  return {
    keep: async (signal) => {
      try {
        await pass(signal);
        await operations.repeatSucceeded(RETENTION);
      } catch (error) {
        logger.error({ err: error }, "retention failed");
        await retentionFailed(error);
      }
    },
    sweep: () => toolFiles.sweep(),
    tellDoubt: async () => {
      const doubt = await clockWatch.doubt();
      if (doubt) await retentionFailed(doubt);
    },
    crawls: createCrawls(search, storage.replica),
    schedules: onTime(clockWatch, (signal) => runExclusively("schedules", () => schedules.pass(signal))),
    refreshes: onTime(clockWatch, (signal) => runExclusively("refreshes", () => refreshes.pass(signal))),
    kinds: [
      {
        kind: RETENTION.kind,
        response: EmptySchema,
        work:
          () =>
          ({ signal }) =>
            pass(signal).then(() => ({})),
        begunAgain: async (error) => {
          if (error?.code === Code.FailedPrecondition) await clockWatch.confirm();
        },
      },
      {
        kind: REFRESH,
        response: EmptySchema,
        work:
          (_, schedule) =>
          ({ signal }) =>
            refreshes.again(schedule, signal).then(() => ({})),
      },
      {
        kind: INDEX,
        response: EmptySchema,
        // Each server has an index of its own.
        isLocal: true,
        work: (_, subject) => () => search.refresh(storeOf(subject)).then(() => ({})),
      },
    ],
  };
}

/** Schedules whose time comes by a clock that is believed: what runs ahead of its time is next due long after that. */
function onTime(clockWatch: Pick<ClockWatch, "doubt">, pass: RetentionPass): { readonly pass: RetentionPass } {
  return {
    pass: async (signal) => {
      if (!(await clockWatch.doubt())) await pass(signal);
    },
  };
}

/** A data store is the whole server's, and its name in the configuration may have `*` for a segment. */
function subjectOf(store: string): string {
  return `${SERVER_WIDE}/${store}`;
}

function storeOf(subject: string): string {
  return subject.slice(SERVER_WIDE.length + 1);
}

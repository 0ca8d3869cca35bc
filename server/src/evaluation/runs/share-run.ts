import type { EvaluationRunCachingSettings } from "@frontdesk/protos/ces/common";
import { type EvaluationResult, EvaluationRun_EvaluationRunState as RunState } from "@frontdesk/protos/ces/evaluation";
import { definedFields, inParallel } from "#base";
import { logFault } from "#status";
import type { Replica } from "#storage";
import { type CaseOptions, caseRunner, isLeft } from "./case-runner.ts";
import type { RunDeps } from "./execute-run.ts";

/** The cases of one run, which servers share. */
export interface SharedCases {
  /** Runs work for a result unless another server is at it; false then. `stored`: the result as it is now. */
  claim(result: EvaluationResult, work: (stored: EvaluationResult) => Promise<void>): Promise<boolean>;
  /** Tells the others that nothing is left for them. */
  end(): Promise<void>;
}

/** Runs whose cases all servers of a database run (EVAL-91). */
export interface RunSharing {
  /** Asks the other servers to run cases of a run, until it ends. */
  share(run: string, caching: EvaluationRunCachingSettings | undefined): SharedCases;
  /** Stops cases of runs of other servers. */
  close(): Promise<void>;
}

/** What servers tell each other. Who is away for a minute misses it, so it is said again. */
const BEGUN = "evaluation-run";
const ENDED = "evaluation-run-ended";
const TOLD_EVERY_MS = 3_000;

interface Invitation {
  readonly run: string;
  readonly caching: EvaluationRunCachingSettings | undefined;
}

/** Where one server has the data, it runs all cases. */
export const NOT_SHARED: RunSharing = {
  share: () => ({
    claim: async (result, work) => {
      await work(result);
      return true;
    },
    end: async () => {},
  }),
  close: async () => {},
};

/** Shares cases with the other servers of a database, and runs cases of theirs. */
export function shareRuns(replica: Replica, deps: RunDeps): RunSharing {
  const helping = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();

  replica.subscribe(BEGUN, (body) => {
    const invitation = JSON.parse(body) as Invitation;
    if (helping.has(invitation.run)) return;
    const stop = new AbortController();
    const done = help(invitation, stop.signal)
      .catch((error: unknown) => {
        const message = "cases of a run of another server could not be run";
        if (!stop.signal.aborted) logFault(error, deps.logger, message, { run: invitation.run });
      })
      .finally(() => helping.delete(invitation.run));
    helping.set(invitation.run, { stop, done });
  });
  replica.subscribe(ENDED, (run) => helping.get(run)?.stop.abort());

  const claim: SharedCases["claim"] = (result, work) =>
    replica.exclusively(`evaluation/${result.name}`, async () => {
      const [stored] = await deps.resources.results([result.name]);
      if (stored) await work(stored);
    });

  /** Begins with the last cases: the server that executes the run begins with the first ones. */
  async function help({ run: name, caching }: Invitation, signal: AbortSignal): Promise<void> {
    const run = await deps.resources.run(name);
    if (run.state !== RunState.RUNNING) return;
    const evaluated = await deps.resources.read(name.slice(0, name.indexOf("/evaluationRuns/")));
    const findingsOf = await caseRunner(run, evaluated, { caching, signal } satisfies CaseOptions, deps);
    const { changelog, changelogCreateTime } = run;
    const left = (await deps.resources.results(run.evaluationResults)).filter(isLeft).toReversed();
    await inParallel(left, deps.concurrency, signal, async (result) => {
      await claim(result, async (stored) => {
        if (!isLeft(stored)) return;
        const findings = await findingsOf(stored);
        signal.throwIfAborted();
        await deps.resources.replace({
          ...stored,
          ...findings,
          changelog,
          ...definedFields({ changelogCreateTime }),
        });
      });
    });
  }

  return {
    share: (run, caching) => {
      const invite = () =>
        replica.tell(BEGUN, JSON.stringify({ run, caching } satisfies Invitation)).catch((error: unknown) => {
          logFault(error, deps.logger, "other servers could not be asked to run cases", { run });
        });
      void invite();
      const timer = setInterval(() => void invite(), TOLD_EVERY_MS).unref();
      return {
        claim,
        end: async () => {
          clearInterval(timer);
          // The run has its outcome: those who are not told find nothing left of it.
          await replica.tell(ENDED, run).catch((error: unknown) => {
            logFault(error, deps.logger, "other servers could not be notified that a run has ended", { run });
          });
        },
      };
    },
    close: async () => {
      for (const { stop } of helping.values()) stop.abort();
      await Promise.all([...helping.values()].map(({ done }) => done));
    },
  };
}

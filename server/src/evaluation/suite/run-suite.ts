import { createHash } from "node:crypto";
import { inParallel } from "#base";
import { logFault, toStatusError } from "#status";
import { TestFileError } from "../files/test-source.ts";
import { checkGates, type GateInput, type GateReport } from "../gates/check-gates.ts";
import type { GatesFile } from "../gates/gates-file.ts";
import { plannedRepeats } from "../gates/plan-repeats.ts";
import { AnswerCache } from "../replay/answer-cache.ts";
import { allOf, type Verdict } from "../verdict.ts";
import type { TestAttempt, TestCase, TestContext } from "./contract.ts";
import type { RunBudget } from "./run-budget.ts";

/** A test with what came of it. */
export interface TestedCase {
  readonly test: Pick<TestCase, "name" | "kind" | "tags" | "file" | "line">;
  readonly attempts: readonly (TestAttempt & { readonly durationMs: number })[];
  readonly verdict: Verdict;
}

/** What came of a suite. */
export interface SuiteResult {
  readonly cases: readonly TestedCase[];
  /** Undefined without gates. */
  readonly gates: GateReport | undefined;
  /** That of the gates where there are any, else of all cases. */
  readonly verdict: Verdict;
}

/** Bytes by key. */
export interface ByteCache {
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
}

/** How a suite runs. */
export interface SuiteOptions {
  /** How often each test runs, at least 1. */
  readonly runs: number;
  readonly concurrency: number;
  /** Conditions that decide, and tests that run more often for them (EVAL-25). */
  readonly gates?: GatesFile | undefined;
  /** The same tests against other versions, by the name that gates give them. */
  readonly baselines?: GateInput["baselines"];
  /** `2026-12-31`. */
  readonly today: string;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
  /** What the run may use, with its baselines. Default: any amount. */
  readonly budget?: Pick<RunBudget, "exhausted">;
  /** Where answers of models and other servers are kept for the next run (EVAL-60). Default: nowhere. */
  readonly kept?: ByteCache;
  /** Once it aborts, no test begins, those that run end, and neither is measured: what is known by then is the result. Default: never. */
  readonly interrupted?: AbortSignal;
  /** Called after each attempt. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What every test has, whatever it runs against. */
interface SuiteContext {
  readonly deps: { readonly logger: TestContext["deps"]["logger"] };
  readonly signal: AbortSignal;
}

/** Runs tests, those that wait for others after them. Rejects only when the signal of the context aborts. */
export async function runSuite<Context extends SuiteContext>(
  tests: readonly TestCase<Context>[],
  context: Context,
  options: SuiteOptions,
): Promise<SuiteResult> {
  const attempts = new Map(uniquelyNamed(tests).map((test) => [test, [] as TestedCase["attempts"][number][]]));
  const progress = { done: 0, total: 0 };
  const run = async (planned: readonly TestCase<Context>[]): Promise<void> => {
    progress.total += planned.length;
    for (const wave of waves(planned)) {
      await inParallel(wave, options.concurrency, context.signal, async (test) => {
        const start = options.now();
        const attempt = await attemptOf(test, attempts.get(test)?.length ?? 0, context, options);
        attempts.get(test)?.push({ ...attempt, durationMs: options.now() - start });
        options.onProgress?.(++progress.done, progress.total);
      });
    }
  };
  const all = [...attempts.keys()];
  for (let repeat = 0; repeat < options.runs; repeat++) await run(all);
  const cases = () => all.map((test) => tested(test, attempts.get(test) ?? []));
  if (options.gates) {
    const repeats = plannedRepeats(options.gates, cases().map(gatedCase));
    await run(all.flatMap((test) => Array.from({ length: repeats.get(test.name) ?? 0 }, () => test)));
  }
  return resultOf(cases(), options);
}

/** A case as gates see it. */
export function gatedCase({ test, attempts }: TestedCase): GateInput["cases"][number] {
  const turnSeconds = attempts.flatMap(({ turns = [] }) => turns.map(({ durationMs }) => durationMs / 1_000));
  return { name: test.name, tags: test.tags, verdicts: attempts.map(({ verdict }) => verdict), turnSeconds };
}

function resultOf(cases: readonly TestedCase[], options: SuiteOptions): SuiteResult {
  const { gates: file, baselines = new Map(), today } = options;
  const gates = file && checkGates(file, { cases: cases.map(gatedCase), baselines, today });
  return { cases, gates, verdict: gates?.verdict ?? allOf(cases.map(({ verdict }) => verdict)) };
}

const NEVER = new AbortController().signal;

const INTERRUPTED = "The run was interrupted.";

/** Runs a test once, with the answers that were kept for this repeat, and keeps those that were given. */
async function attemptOf<Context extends SuiteContext>(
  test: TestCase<Context>,
  repeat: number,
  context: Context,
  { kept, budget, interrupted = NEVER }: Pick<SuiteOptions, "kept" | "budget" | "interrupted">,
): Promise<TestAttempt> {
  const exhausted = interrupted.aborted ? INTERRUPTED : budget?.exhausted();
  if (exhausted) return { verdict: "not-measured", checks: [], problem: exhausted };
  const signal = AbortSignal.any([context.signal, interrupted]);
  try {
    const key = `answers-${createHash("sha256")
      .update(JSON.stringify([test.name, test.kind, repeat]))
      .digest("hex")}`;
    const answers = AnswerCache.read(await kept?.get(key));
    const attempt = await test.run({ ...context, signal, answers });
    const bytes = kept && answers.bytes();
    if (bytes) await kept.put(key, bytes);
    return attempt;
  } catch (error) {
    context.signal.throwIfAborted();
    if (interrupted.aborted) return { verdict: "not-measured", checks: [], problem: INTERRUPTED };
    if (error instanceof TestFileError) return { verdict: "not-measured", checks: [], problem: error.message };
    logFault(error, context.deps.logger, "a test could not be run", { test: test.name });
    const problem = toStatusError(error).rawMessage;
    return { verdict: "not-measured", checks: [], problem };
  }
}

function tested(test: TestedCase["test"], attempts: TestedCase["attempts"]): TestedCase {
  const { name, kind, tags, file, line } = test;
  return { test: { name, kind, tags, file, line }, attempts, verdict: allOf(attempts.map(({ verdict }) => verdict)) };
}

/** Tests in groups that can run at once: one that goes on from another is in a later group. */
function waves<Test extends Pick<TestCase, "name" | "after">>(tests: readonly Test[]): readonly (readonly Test[])[] {
  // Of equal names the first.
  const byName = new Map(tests.toReversed().map((test) => [test.name, test]));
  const depths = new Map<Test, number>();
  for (const test of tests) {
    const chain = new Set<Test>();
    let at: Test | undefined = test;
    while (at && !depths.has(at) && !chain.has(at)) {
      chain.add(at);
      at = byName.get(at.after ?? "");
    }
    // A chain that comes back to itself begins anywhere.
    let depth = at ? (depths.get(at) ?? -1) : -1;
    for (const link of [...chain].reverse()) depths.set(link, ++depth);
  }
  const groups = [...Map.groupBy(tests, (test) => depths.get(test) ?? 0)];
  return groups.sort(([one], [other]) => one - other).map(([, wave]) => wave);
}

/** Reports and gates tell tests apart by name: a second one gets its file, then a number. */
function uniquelyNamed<Test extends Pick<TestCase, "name" | "file">>(tests: readonly Test[]): readonly Test[] {
  const names = new Set<string>();
  return tests.map((test) => {
    let name = test.name;
    if (names.has(name) && test.file !== "") name = `${test.name} (${test.file})`;
    for (let number = 2; names.has(name); number++) name = `${test.name} (${number})`;
    names.add(name);
    return name === test.name ? test : { ...test, name };
  });
}

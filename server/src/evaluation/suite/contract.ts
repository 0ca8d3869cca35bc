import type { ExecuteToolRequest, ExecuteToolResponse } from "@frontdesk/protos/ces/tool_service";
import type { Ids, JsonObject, JsonValue } from "#base";
import type { SnapshotRef } from "#session";
import type { AppNames } from "../app-names.ts";
import type { EvaluatedApp } from "../contract.ts";
import type { TextSimilarity } from "../judge/text-similarity.ts";
import type { TurnFacts } from "../observation/watch-turns.ts";
import type { AnswerCache } from "../replay/answer-cache.ts";
import type { ScenarioDeps } from "../scenario/run-scenario.ts";
import type { Verdict } from "../verdict.ts";

/** The kinds of test, as reports name them. */
export type TestKind =
  | "golden"
  | "scenario"
  | "simulation"
  | "turn eval"
  | "tool test"
  | "eval set case"
  | "guardrail test"
  | "callback test"
  /** A question to a data agent. */
  | "question"
  /** A file, or a case of one, that cannot be read. */
  | "unreadable";

/** One test of a suite. `Context`: what it runs against; default an app. */
export interface TestCase<Context = TestContext> {
  readonly name: string;
  readonly kind: TestKind;
  readonly tags: readonly string[];
  /** The file that it is in; "" for an evaluation of the app itself. */
  readonly file: string;
  /** From 1; 0 without a file. */
  readonly line: number;
  /** The case whose conversation this one goes on from: it runs first. */
  readonly after?: string;
  /** Runs the test once. Throws TestFileError when it does not fit the app. */
  run(context: Context & KeptContext): Promise<TestAttempt>;
}

/** One comparison of a test. */
export interface TestCheck {
  /** What was compared, e.g. `turn 2: tool call look_up_order`. */
  readonly title: string;
  readonly verdict: Verdict;
  /** As text; "" when the check is about no value. */
  readonly expected: string;
  readonly observed: string;
  /** Why, in a sentence; "" when expected and observed say it. */
  readonly explanation: string;
  /** The span of the trace that decided, e.g. `Tool look_up_order, 3 ms`; "" for none. */
  readonly span: string;
}

/** What came of running a test once. */
export interface TestAttempt {
  readonly verdict: Verdict;
  readonly checks: readonly TestCheck[];
  /** Why it was not measured; "" when it was. */
  readonly problem: string;
  /** Whether a data agent gave no answer, which is counted apart from wrong ones. Absent for other tests. */
  readonly abstained?: boolean;
  /** The turns that were taken. Absent for tests without conversations. */
  readonly turns?: readonly TurnFacts[];
}

/** Answers that are kept for one run of a test. */
interface KeptContext {
  readonly answers: AnswerCache;
}

/** What one run of a test has: the app, and answers that are kept for it. */
export interface AttemptContext extends TestContext, KeptContext {}

/** What tests run against. */
export interface TestContext {
  readonly evaluated: EvaluatedApp;
  readonly names: AppNames;
  readonly snapshot: SnapshotRef;
  /** Whether tools that have a fake answer by it in every conversation. Default: as the case, else the app's evaluation settings, say. */
  readonly useToolFakes?: boolean;
  readonly deps: TestDeps;
  readonly signal: AbortSignal;
}

/** Python that a test runs. */
interface PythonTestCall {
  readonly code: string;
  /** Name in tracebacks. */
  readonly filename: string;
  readonly args: JsonObject;
}

/** What running tests needs. */
interface TestDeps extends ScenarioDeps {
  /** Compares texts by their embeddings; undefined without an embedding model. */
  readonly similarity: TextSimilarity | undefined;
  readonly ids: Pick<Ids, "uuid">;
  /** Runs the first function of Python code with keyword arguments in the sandbox. `problem`: why it did not return; "" when it did. */
  runPython(
    call: PythonTestCall,
    signal: AbortSignal,
  ): Promise<{ readonly value: JsonValue; readonly problem: string }>;
  /** Runs a tool of the app outside a session, as the method ExecuteTool does. */
  executeTool(request: ExecuteToolRequest, signal: AbortSignal): Promise<ExecuteToolResponse>;
}

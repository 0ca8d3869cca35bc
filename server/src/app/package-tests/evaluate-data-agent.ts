import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { type Context, LookerQuerySchema } from "@frontdesk/protos/gda/context";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import {
  type Message,
  MessageSchema,
  type SystemMessage,
  TextMessage_TextType as TextType,
} from "@frontdesk/protos/gda/data_chat_service";
import { parse } from "yaml";
import type { Analytics, ChatRequest } from "#analytics";
import { definedFields, isJsonObject, type JsonObject, type JsonValue, OPERATOR, thrownMessage } from "#base";
import {
  type BudgetLimits,
  createModelJudge,
  type DataRows,
  type DataTestContext,
  type GatesFile,
  type ObservedAnswer,
  readDataSuite,
  runSuite,
  type SuiteReport,
  type TestFile,
  waitForModels,
} from "#evaluation";
import { failedPrecondition, invalidArgument } from "#status";
import { type App, buildApp } from "../build-app.ts";
import type { Config } from "../config.ts";
import { cachedSamples } from "../data-sample.ts";
import { createBudget } from "./create-budget.ts";
import { selected } from "./evaluate-package.ts";
import { resolvedModel, temporaryConfig } from "./temporary-app.ts";

/** A data agent, and the suites of questions that it is asked. */
export interface DataAgentEvaluation {
  /** The agent in YAML or JSON, as CreateDataAgent takes it. */
  readonly agent: TestFile;
  readonly suites: readonly TestFile[];
  /** Only questions with one of these tags. Empty: all. */
  readonly tags: readonly string[];
  readonly runs: number;
  readonly gates?: GatesFile | undefined;
  /** What the run may use, beside the budget of the gates file. */
  readonly budget?: BudgetLimits | undefined;
  /** The model that plans. Undefined: that of the configuration. */
  readonly model?: string | undefined;
  /** Interrupts the run: what has no verdict by then is not measured. */
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Whether a file is a data agent rather than an app package: YAML or JSON with its contexts. */
export function isDataAgentFile({ path, text }: TestFile): boolean {
  return /\.(?:ya?ml|json)$/i.test(path) && /^\s*["']?(?:dataAnalyticsAgent|data_analytics_agent)["']?\s*:/m.test(text);
}

/**
 * Asks a data agent the questions of suites, on a server of its own that listens nowhere and keeps nothing, over the data of the configuration
 * (EVAL-79). INVALID_ARGUMENT for an agent that cannot be read, FAILED_PRECONDITION where there is nothing to ask.
 */
export async function evaluateDataAgent(request: DataAgentEvaluation, config: Config): Promise<SuiteReport> {
  const own = readAgent(request.agent);
  const asked = { context: contextOf(own), agent: own.name || basename(request.agent.path).replace(/\.\w+$/, "") };
  const tests = selected(request.suites.flatMap(readDataSuite), request.tags, request.agent.path);
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-eval-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  // The sample shop can be asked without a configuration; it is written when a context names it, once a day.
  await symlink(await cachedSamples(config.cacheDir, Date.now()), join(dataDir, "samples"), "junction");
  const server = { ...temporaryConfig(config, dataDir, request.model), example: true };
  const app = await buildApp(server);
  opened.defer(() => app.close(0));
  const model = resolvedModel(request.model, app);
  const budget = createBudget({ ...request.gates?.budget, ...definedFields({ ...request.budget }) }, config);
  const parts = { ...app, models: waitForModels(budget.models(app.models), app) };
  const startTime = app.clock.now();
  const start = performance.now();
  const result = await runSuite(tests, testContext(asked, new AbortController().signal, parts, config), {
    budget,
    interrupted: request.signal,
    runs: request.runs,
    concurrency: config.evaluation.concurrency,
    today: new Date(startTime).toISOString().slice(0, 10),
    now: () => performance.now(),
    gates: request.gates,
    ...(request.onProgress && { onProgress: request.onProgress }),
  });
  const durationMs = performance.now() - start;
  return { ...result, subject: request.agent.path, model, startTime, durationMs, used: budget.used, warnings: [] };
}

function readAgent({ path, text }: TestFile): DataAgent {
  try {
    return fromJson(DataAgentSchema, parse(text) as JsonValue);
  } catch (error) {
    const description = `${path} is no data agent: ${thrownMessage(error)}`;
    throw invalidArgument({ field: "data_agent", description });
  }
}

function contextOf({ type }: DataAgent): Context {
  const { publishedContext, stagingContext } = type.value ?? {};
  const context = publishedContext ?? stagingContext;
  if (context) return context;
  throw failedPrecondition("The data agent has no context. Set data_analytics_agent.published_context.");
}

/** `asked`: the context of the agent, and its name, by which the configuration knows its semantic model. */
function testContext(
  asked: Pick<ChatRequest, "context" | "agent">,
  signal: AbortSignal,
  app: Pick<App, "analytics" | "storage" | "logger"> & { readonly models: Pick<App["models"], "resolve"> },
  config: Config,
): DataTestContext {
  const { analytics, models, storage, logger } = app;
  return {
    ask: (questions, until) =>
      askInTurn(questions, { ...asked, models, caller: OPERATOR, mode: "thinking", signal: until }, analytics),
    rowsOf: async (sql, until) => {
      const { result } = await analytics.runStatement(
        asked.context,
        { sqlQuery: sql },
        { signal: until, caller: OPERATOR },
      );
      const { columns, rows } = result ?? { columns: [], rows: [] };
      return { columns: columns.map(({ name }) => name), rows };
    },
    deps: {
      judge: createModelJudge({ models, model: config.evaluation.judge, blobs: storage.blobs, logger }),
      logger,
    },
    signal,
  };
}

/** Asks questions of one conversation; the answer to the last one, with its own time. */
async function askInTurn(
  questions: readonly string[],
  request: Omit<ChatRequest, "messages">,
  analytics: Analytics,
): Promise<ObservedAnswer> {
  const messages: Message[] = [];
  let answer = NO_ANSWER;
  for (const question of questions) {
    messages.push(
      create(MessageSchema, { kind: { case: "userMessage", value: { kind: { case: "text", value: question } } } }),
    );
    const start = performance.now();
    const received: Message[] = [];
    for await (const message of analytics.chat({ ...request, messages })) received.push(message);
    messages.push(...received);
    const system = received.flatMap(({ kind }) => (kind.case === "systemMessage" ? [kind.value] : []));
    answer = { ...system.reduce(withMessage, NO_ANSWER), durationMs: performance.now() - start };
  }
  return answer;
}

const NO_ANSWER: ObservedAnswer = {
  ...{ text: "", statements: [], lookerQueries: [], results: [], chart: undefined, durationMs: 0 },
};

function withMessage(answer: ObservedAnswer, { kind }: SystemMessage): ObservedAnswer {
  if (kind.case === "text" && kind.value.textType === TextType.FINAL_RESPONSE)
    return { ...answer, text: answer.text + kind.value.parts.join("") };
  if (kind.case === "chart" && kind.value.kind.case === "result")
    return { ...answer, chart: (kind.value.kind.value.vegaConfig as JsonObject | undefined) ?? answer.chart };
  if (kind.case !== "data") return answer;
  const { kind: data } = kind.value;
  if (data.case === "generatedSql") return { ...answer, statements: [...answer.statements, data.value] };
  if (data.case === "query" && data.value.queryType.case === "looker") {
    const query = toJson(LookerQuerySchema, data.value.queryType.value);
    return { ...answer, lookerQueries: isJsonObject(query) ? [...answer.lookerQueries, query] : answer.lookerQueries };
  }
  if (data.case !== "result") return answer;
  const columns = (data.value.schema?.fields ?? []).map(({ name }) => name);
  const rows: DataRows = { columns, rows: data.value.data.map((row) => columns.map((name) => row[name] as JsonValue)) };
  return { ...answer, results: [...answer.results, rows] };
}

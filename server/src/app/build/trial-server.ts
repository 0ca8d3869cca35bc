import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import {
  AgentService,
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as Format,
} from "@frontdesk/protos/ces/agent_service";
import { appTests, runSuite, type TestedCase } from "#evaluation";
import type { Examination, TrialServer } from "#generation";
import { type Finding, lintFolder } from "#lint";
import type { Models } from "#models";
import { type AppTree, unpackToFolder } from "#resources";
import type { Sandbox } from "#sandbox";
import { fieldViolationsOf } from "#status";
import type { App } from "../build-app.ts";
import { type Config, readConfig } from "../config.ts";
import { validationErrorsOf } from "../lint-app.ts";
import { contextOf } from "../package-tests/test-context.ts";
import { type AssistantApp, importAssistant } from "./assistant-app.ts";
import { changedTree } from "./changed-tree.ts";
import type { AppOverrides } from "./platform.ts";
import { TrialEgress } from "./trial-egress.ts";

/** What a trial server shares with its server. */
interface SharedParts {
  readonly config: Config;
  readonly sandbox: Sandbox;
  /** The models of the goldens' agents and judges. */
  readonly models: Pick<Models, "resolve">;
  readonly build: BuildApp;
}

/** Builds a server that listens nowhere. */
export type BuildApp = (config: Config, overrides: Partial<AppOverrides>) => Promise<App>;

/**
 * Opens a trial server: a server of its own that listens nowhere, with a store that is deleted afterwards. It has none of the server's secrets, connections
 * and data stores, and its egress gate is shut: what a model wrote reaches nothing but models (GEN-5).
 */
export async function openTrialServer({ config, sandbox, models, build }: SharedParts): Promise<TrialServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-generation-"));
  const { evaluation, cacheDir } = config;
  const plain = readConfig(["--data", dataDir, "--log", "silent"], {});
  const own = { ...plain, example: false, evaluation, cacheDir, maxModelCalls: MAX_MODEL_CALLS };
  const gate = new TrialEgress();
  const app = await build(own, { egress: gate, sandbox: shared(sandbox), models: sharedModels(models) });
  let assistant: Promise<AssistantApp> | undefined;
  /** Name of the app of the last draft; "" for none. */
  let stored = "";
  const store = async (draft: AppTree): Promise<void> => {
    await writeDraft(draft, app);
    stored = draft.app.name;
  };
  return {
    examine: async (draft, goldens, signal) => {
      gate.refused.clear();
      const found = await examine(draft, goldens, { app, config: own, signal, store });
      return { ...found, refusedOrigins: [...gate.refused].sort() };
    },
    assist: async (request, signal) => {
      await store(request.draft);
      const before = await app.resources.tree.readTree(request.draft.app.name);
      assistant ??= importAssistant(app, config.generation.model);
      const { methods, speak } = await assistant;
      const speech = await gate.serving(methods, () => speak({ ...request, app: before.app.name }, signal));
      const after = await app.resources.tree.readTree(before.app.name);
      return { ...speech, tree: changedTree(request.draft, before, after) };
    },
    clear: async () => {
      if (stored !== "") await app.resources.standard.invoke(deleteApp, create(deleteApp.input, { name: stored }));
      stored = "";
    },
    close: async () => {
      await app.close(0);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const { deleteApp } = AgentService.method;

/** Model calls in one turn: an assistant reads and writes many resources. */
const MAX_MODEL_CALLS = 40;

interface BenchContext {
  readonly app: App;
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly store: (draft: AppTree) => Promise<void>;
}

async function examine(
  draft: AppTree,
  goldens: readonly string[],
  context: BenchContext,
): Promise<Omit<Examination, "refusedOrigins">> {
  try {
    await context.store(draft);
  } catch (error) {
    const violations = fieldViolationsOf(error);
    if (violations.length === 0) throw error;
    return {
      violations: violations.map(({ field, description }) => `${field}: ${description}`),
      findings: [],
      cases: [],
    };
  }
  context.signal.throwIfAborted();
  const findings = await lint(draft.app.name, context);
  context.signal.throwIfAborted();
  return { violations: [], findings, cases: await run(draft.app.name, goldens, context) };
}

function writeDraft(draft: AppTree, { resources }: App): Promise<unknown> {
  return resources.tree.writeTree(draft, { deleteOthers: PARTS, ignoreLock: true });
}

/** What a draft does not have any more is not left over from the one before. */
const PARTS = [
  "agents",
  "tools",
  "toolsets",
  "guardrails",
  "examples",
  "evaluations",
  "evaluationDatasets",
  "evaluationExpectations",
] as const;

async function lint(name: string, { app: { resources, sandbox } }: BenchContext): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-generation-"));
  try {
    const request = create(ExportAppRequestSchema, { name, exportFormat: Format.JSON });
    const { app } = await resources.packages.exportApp(request);
    if (app.case !== "appContent") throw new Error("an export has no content");
    await unpackToFolder(app.value, folder);
    const validationErrors = await validationErrorsOf(name, resources);
    const importFindings = async () => ({ violations: [], warnings: [], validationErrors });
    // What a model invents is of nobody.
    return (await lintFolder({ folder }, { sandbox, importFindings, personalData: () => [] })).findings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  name: string,
  goldens: readonly string[],
  { app, config, signal }: BenchContext,
): Promise<readonly TestedCase[]> {
  if (goldens.length === 0) return [];
  const context = await contextOf(name, { app, config, embeddings: undefined }, { signal });
  const chosen = new Set(goldens);
  const evaluations = context.evaluated.evaluations.filter((one) => chosen.has(one.name));
  const { cases } = await runSuite(appTests({ ...context.evaluated, evaluations }), context, {
    runs: 1,
    concurrency: config.evaluation.concurrency,
    today: new Date(app.clock.now()).toISOString().slice(0, 10),
    now: () => performance.now(),
  });
  return cases;
}

/** The server's own, which a trial server does not close. */
function shared(sandbox: Sandbox): Sandbox {
  return {
    run: (call, options) => sandbox.run(call, options),
    inspect: (code, options) => sandbox.inspect(code, options),
    status: () => sandbox.status(),
    close: async () => {},
  };
}

function sharedModels(models: Pick<Models, "resolve">): Models {
  return {
    resolve: (name) => models.resolve(name),
    status: () => ({ defaultModel: "", providers: [] }),
    close: async () => {},
  };
}

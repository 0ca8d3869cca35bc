import { AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  EvaluationDatasetSchema,
  EvaluationExpectationSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { notFound } from "#status";
import type { AppState } from "./app-state.ts";
import type { AppStates } from "./app-states.ts";
import type { AppTree, ResourceTree, WriteTreeOptions } from "./contract.ts";
import type { AppWriter } from "./write/app-writer.ts";
import type { MakePlan } from "./write/plan.ts";
import { planTree } from "./write/plan-tree.ts";

/** Creates the `ResourceTree` of a server. */
export function createResourceTree(states: AppStates, writer: AppWriter): ResourceTree {
  async function readTree(app: string): Promise<AppTree> {
    return treeOf((await states.load(app)).state);
  }

  async function writeTree(
    tree: AppTree,
    options: WriteTreeOptions = {},
  ): Promise<{ readonly warnings: readonly string[] }> {
    const { ignoreLock = false, validateOnly = false, author = "", mayWrite } = options;
    const makePlan: MakePlan = async (state) => {
      await mayWrite?.(state.app !== undefined);
      return planTree(state, tree, options);
    };
    const next = await writer.write(tree.app.name, makePlan, {
      createsApp: true,
      ignoreLock,
      validateOnly,
      required: "own",
      author,
    });
    return { warnings: warningsOf(next) };
  }

  return { readTree, writeTree };
}

/** The tree of a state. NOT_FOUND without an app. */
export function treeOf(state: AppState): AppTree {
  if (!state.app) throw notFound(state.name, "ces.googleapis.com/App");
  return {
    app: state.app,
    agents: state.list(AgentSchema),
    tools: state.list(ToolSchema),
    toolsets: state.list(ToolsetSchema),
    guardrails: state.list(GuardrailSchema),
    examples: state.list(ExampleSchema),
    evaluations: state.list(EvaluationSchema),
    evaluationDatasets: state.list(EvaluationDatasetSchema),
    evaluationExpectations: state.list(EvaluationExpectationSchema),
  };
}

function warningsOf(state: AppState): readonly string[] {
  const ofAgents = state
    .list(AgentSchema)
    .flatMap(({ displayName, validationErrors }) =>
      validationErrors.map((error) => `Agent '${displayName}', ${error}`),
    );
  return [...(state.app?.validationErrors ?? []), ...ofAgents];
}

import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The templates that are shipped, which the recorded answers of models are made of. */
export const TEMPLATES = resolve(import.meta.dirname, "..", "..", "..", "examples", "templates");

/** A model's answer: an app, or changes of one. */
export interface WrittenApp {
  explanation: string;
  app: { display_name: string; description: string; global_instruction: string; root_agent: string };
  variables: { name: string; type: string; description: string; default_json: string }[];
  agents: {
    name: string;
    description: string;
    instruction: string;
    tools: string[];
    child_agents: string[];
    callbacks: { stage: string; description: string; code: string }[];
  }[];
  tools: { name: string; code: string }[];
  goldens: WrittenGolden[];
  scenarios: object[];
  remove: { kind: string; name: string }[];
}

export interface WrittenGolden {
  name: string;
  description: string;
  turns: {
    user: string;
    transfers: string[];
    tool_calls: { tool: string; args_json: string }[];
    answer: string;
    match: string;
  }[];
}

/** An answer without anything. */
export const NOTHING: WrittenApp = {
  explanation: "",
  app: { display_name: "", description: "", global_instruction: "", root_agent: "" },
  variables: [],
  agents: [],
  tools: [],
  goldens: [],
  scenarios: [],
  remove: [],
};

/** A template as a model would write it. */
export async function writtenApp(template: string): Promise<WrittenApp> {
  const folder = join(TEMPLATES, template);
  const text = (path: string) => readFile(join(folder, path), "utf8");
  const manifests = (kind: string) =>
    Promise.all(
      globSync(`${kind}/*/*.json`, { cwd: folder })
        .sort()
        .map(async (path) => JSON.parse(await text(path))),
    );
  const app = JSON.parse(await text("app.json"));
  const [agents, tools, evaluations] = await Promise.all(["agents", "tools", "evaluations"].map(manifests));
  return {
    ...NOTHING,
    explanation: `Here is ${app.displayName}.`,
    app: {
      display_name: app.displayName,
      description: app.description,
      global_instruction: await text(app.globalInstruction),
      root_agent: app.rootAgent,
    },
    variables: (app.variableDeclarations ?? []).map((declared: Declared) => ({
      name: declared.name,
      type: declared.schema.type,
      description: declared.description,
      default_json: JSON.stringify(declared.schema.default),
    })),
    agents: await Promise.all(
      (agents ?? []).map(async (agent) => ({
        name: agent.displayName,
        description: agent.description,
        instruction: await text(agent.instruction),
        tools: agent.tools,
        child_agents: agent.childAgents ?? [],
        callbacks: [],
      })),
    ),
    tools: await Promise.all(
      (tools ?? []).map(async (tool) => ({ name: tool.displayName, code: await text(tool.pythonFunction.pythonCode) })),
    ),
    goldens: (evaluations ?? []).map(goldenOf),
  };
}

interface Declared {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly type: string; readonly default: unknown };
}

interface Step {
  readonly userInput?: { readonly text: string };
  readonly expectation?: {
    readonly toolCall?: { readonly tool: string; readonly args?: object };
    readonly agentTransfer?: { readonly targetAgent: string };
    readonly agentResponse?: { readonly chunks: readonly { readonly text: string }[] };
  };
}

function goldenOf(evaluation: {
  displayName: string;
  description: string;
  golden: { turns: { steps: Step[] }[] };
}): WrittenGolden {
  return {
    name: evaluation.displayName,
    description: evaluation.description,
    turns: evaluation.golden.turns.map(({ steps }) => ({
      user: steps.find(({ userInput }) => userInput)?.userInput?.text ?? "",
      transfers: steps.flatMap(({ expectation }) => expectation?.agentTransfer?.targetAgent ?? []),
      tool_calls: steps.flatMap(({ expectation }) =>
        expectation?.toolCall
          ? [{ tool: expectation.toolCall.tool, args_json: JSON.stringify(expectation.toolCall.args ?? {}) }]
          : [],
      ),
      answer: steps.flatMap(({ expectation }) => expectation?.agentResponse?.chunks[0]?.text ?? []).join("\n"),
      match: "equals",
    })),
  };
}

import { z } from "zod";
import { MAX_AGENTS, MAX_EVALUATIONS, MAX_TOOLS } from "../limits.ts";

/*
 * What a model may write of an app. It has no field for addresses, credentials, settings of the server or of channels: those are the author's
 * (GEN-11).
 * Every entry is whole and replaces the one of its name. Descriptions are read by the model.
 */

const name = z.string().max(85);
const sentence = z.string().max(2_000);
const longText = z.string().max(60_000);

/** The stages of callbacks, as an agent's fields name them. */
export const STAGES = [
  "before_agent_callbacks",
  "after_agent_callbacks",
  "before_model_callbacks",
  "after_model_callbacks",
  "before_tool_callbacks",
  "after_tool_callbacks",
] as const;

const CallbackSketch = z.object({
  stage: z.enum(STAGES),
  description: sentence,
  code: longText.describe("Python with the function of the stage."),
});

const AgentSketch = z.object({
  name,
  description: sentence.describe("What it is for; other agents decide by it whether to transfer."),
  instruction: longText,
  tools: z
    .array(name)
    .max(50)
    .default([])
    .describe("Names of its tools, end_session included where it may end the session."),
  child_agents: z.array(name).max(MAX_AGENTS).default([]).describe("Names of agents below it."),
  callbacks: z.array(CallbackSketch).max(20).default([]),
});

const ToolSketch = z.object({
  name: name.describe("snake_case; the name of the Python function."),
  code: longText.describe("Python with one function of this name."),
});

export const VARIABLE_TYPES = ["STRING", "INTEGER", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"] as const;

const VariableSketch = z.object({
  name,
  type: z.enum(VARIABLE_TYPES),
  description: sentence,
  default_json: sentence.default("").describe('The default as JSON, e.g. "\\"\\"" or "0"; empty for none.'),
});

const AppTexts = z.object({
  display_name: name.default("").describe("Empty: as it is."),
  description: sentence.default("").describe("Empty: as it is."),
  global_instruction: longText.default("").describe("What every agent is told. Empty: as it is."),
  root_agent: name.default("").describe("Name of the agent that begins. Empty: as it is."),
  languages: z
    .array(z.string().max(35))
    .max(50)
    .default([])
    .describe("Languages that users speak, as BCP-47 codes, the default one first. Empty: as it is."),
});

const ExpectedCall = z.object({
  tool: name,
  args_json: sentence.default("{}").describe("The arguments that must be equal, as a JSON object."),
});

const GoldenTurn = z.object({
  user: sentence.describe("What the user says; empty where the agent begins."),
  transfers: z.array(name).max(10).default([]).describe("Agents that the turn transfers to, in order."),
  tool_calls: z.array(ExpectedCall).max(20).default([]).describe("All tool calls of the turn, in order."),
  answer: sentence.describe("What the agent must say."),
  match: z
    .enum(["meaning", "contains", "equals"])
    .default("meaning")
    .describe("How the answer is compared: by a judge, as a part of the text, or as the whole text."),
});

const GoldenSketch = z.object({
  name,
  description: sentence,
  turns: z.array(GoldenTurn).min(1).max(30),
});

const ScenarioSketch = z.object({
  name,
  task: sentence.describe("What the user wants, as an instruction to a person who plays the user."),
  user_facts: z
    .array(z.object({ name, value: sentence }))
    .max(30)
    .default([]),
  rubrics: z.array(sentence).max(10).default([]).describe("By what the agent is judged."),
  max_turns: z.number().int().min(1).max(100).default(10),
});

const Removal = z.object({ kind: z.enum(["agent", "tool", "variable", "evaluation"]), name });

const explanation = z.string().max(4_000).describe("What was made or changed, and why, for the author.");
const goldens = z.array(GoldenSketch).max(MAX_EVALUATIONS).default([]);
const scenarios = z.array(ScenarioSketch).max(MAX_EVALUATIONS).default([]);
const remove = z.array(Removal).max(50).default([]).describe("What you wrote before and take back.");

/** Agents, tools and variables of an app. */
export const AppChangesShape = z.object({
  explanation,
  app: AppTexts.default({ display_name: "", description: "", global_instruction: "", root_agent: "", languages: [] }),
  variables: z.array(VariableSketch).max(100).default([]),
  agents: z.array(AgentSketch).max(MAX_AGENTS).default([]),
  tools: z.array(ToolSketch).max(MAX_TOOLS).default([]),
  remove,
});

/** The same with evaluations, while both are written. */
export const AppAndEvaluationsShape = AppChangesShape.extend({ goldens, scenarios });

/** Tools alone. */
export const ToolChangesShape = z.object({ explanation, tools: z.array(ToolSketch).min(1).max(MAX_TOOLS), remove });

/** Evaluations alone. */
export const EvaluationChangesShape = z.object({ explanation, goldens, scenarios, remove });

/** Changes of any of these shapes. */
export interface AppChanges {
  readonly explanation: string;
  readonly app?: z.infer<typeof AppTexts>;
  readonly variables?: readonly z.infer<typeof VariableSketch>[];
  readonly agents?: readonly z.infer<typeof AgentSketch>[];
  readonly tools?: readonly z.infer<typeof ToolSketch>[];
  readonly goldens?: readonly z.infer<typeof GoldenSketch>[];
  readonly scenarios?: readonly z.infer<typeof ScenarioSketch>[];
  readonly remove?: readonly z.infer<typeof Removal>[];
}

export type AgentChange = z.infer<typeof AgentSketch>;
export type ToolChange = z.infer<typeof ToolSketch>;
export type VariableChange = z.infer<typeof VariableSketch>;
export type GoldenChange = z.infer<typeof GoldenSketch>;
export type ScenarioChange = z.infer<typeof ScenarioSketch>;

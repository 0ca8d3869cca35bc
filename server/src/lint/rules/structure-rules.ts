import { isJsonObject } from "#base";
import type { LintedAgent, LintedApp } from "../app/linted-app.ts";
import { field, keyOf, objectField, textField, textsField } from "../app/manifest-fields.ts";
import type { Report, Rule } from "../contract.ts";
import { atField, atMatches, quoted } from "./report.ts";

/** S: references between the files of an app. */
export const STRUCTURE_RULES: readonly Rule[] = [
  {
    id: "S002",
    name: "agent-tool-references",
    severity: "error",
    summary: "an instruction that calls a tool by its plain name which the agent does not list",
    check: plainToolNames,
  },
  {
    id: "S003",
    name: "callback-file-references",
    severity: "error",
    summary: "a callback whose file does not exist",
    check: missingCallbackFiles,
  },
  {
    id: "S004",
    name: "child-agent-references",
    severity: "error",
    summary: "a child agent that does not exist",
    check: missingChildren,
  },
  {
    id: "S005",
    name: "strict-agent-path-layout",
    severity: "error",
    summary: "a path of an agent that does not begin with `agents/<agent>/`",
    check: agentPaths,
  },
  {
    id: "S006",
    name: "strict-tool-path-layout",
    severity: "error",
    summary: "a path of a tool that does not begin with `tools/<tool>/`",
    check: toolPaths,
  },
  {
    id: "S007",
    name: "sub-agent-single-parent",
    severity: "error",
    summary: "an agent with several parents",
    check: severalParents,
  },
  {
    id: "S008",
    name: "single-prompt-security-guardrail",
    severity: "error",
    summary: "a second `llmPromptSecurity` guardrail",
    check: promptSecurity,
  },
];

/** Names with an underscore only: `search` or `weather` can be a word of the sentence. */
function* plainToolNames({ agents, tools }: LintedApp): Iterable<Report> {
  const names = tools
    .map(({ displayName }) => displayName)
    .filter((name) => /^\w+$/.test(name) && name.slice(1, -1).includes("_"));
  if (names.length === 0) return;
  const pattern = new RegExp(`(?<![\\w@:/-])(?:${names.join("|")})(?![\\w-])`, "g");
  for (const { instruction, tools: listed, displayName } of agents) {
    if (!instruction) continue;
    yield* atMatches(instruction, pattern, ({ 0: name, input, index }) =>
      listed.includes(name) || /\{@\w+:\s*$/.test(input.slice(0, index))
        ? undefined
        : `'${displayName}' does not list '${name}' in its tools, so it cannot call it`,
    );
  }
}

function* missingCallbackFiles({ agents }: LintedApp): Iterable<Report> {
  for (const agent of agents)
    for (const { path, codePath, code } of agent.callbacks)
      if (!code && !codePath.includes("\n"))
        yield atField(agent, [...path, "pythonCode"], codePath === "" ? "has no code" : `there is no file ${codePath}`);
}

function* missingChildren({ agents }: LintedApp): Iterable<Report> {
  const known = agents.map(({ displayName }) => displayName);
  for (const agent of agents)
    for (const [index, child] of textsField(agent.manifest, "childAgents").entries())
      if (!known.includes(child))
        yield atField(
          agent,
          ["childAgents", index],
          `'${child}' is no agent of this app; its agents are ${quoted(known)}`,
        );
}

function* agentPaths({ agents }: LintedApp): Iterable<Report> {
  for (const agent of agents) {
    const prefix = `agents/${agent.folder}/`;
    const instruction = textField(agent.manifest, "instruction");
    if (isPath(instruction) && !instruction.startsWith(prefix))
      yield atField(agent, ["instruction"], outside(instruction, prefix));
    for (const { path, codePath } of agent.callbacks)
      if (isPath(codePath) && !codePath.startsWith(prefix))
        yield atField(agent, [...path, "pythonCode"], outside(codePath, prefix));
  }
}

function* toolPaths({ tools }: LintedApp): Iterable<Report> {
  for (const tool of tools) {
    const prefix = `tools/${tool.folder}/`;
    const python = objectField(tool.manifest, "pythonFunction");
    const path = textField(python, "pythonCode");
    if (isPath(path) && !path.startsWith(prefix))
      yield atField(tool, ["pythonFunction", keyOf(python, "pythonCode")], outside(path, prefix));
  }
}

/** Whether a text is a path and not the content itself. */
function isPath(text: string): boolean {
  return /^[^\n]*\.(?:py|txt|md)$/.test(text);
}

function outside(path: string, prefix: string): string {
  return `'${path}' does not begin with '${prefix}'; paths are relative to the app`;
}

function* severalParents({ agents }: LintedApp): Iterable<Report> {
  const parents = new Map<string, LintedAgent>();
  for (const agent of agents) {
    for (const [index, child] of textsField(agent.manifest, "childAgents").entries()) {
      const first = parents.get(child);
      if (first && first !== agent)
        yield atField(
          agent,
          ["childAgents", index],
          `'${child}' is a child of '${first.displayName}' already; an agent has one parent`,
        );
      else parents.set(child, agent);
    }
  }
}

function* promptSecurity({ guardrails }: LintedApp): Iterable<Report> {
  const [first, ...others] = guardrails.filter(({ manifest }) => isJsonObject(field(manifest, "llmPromptSecurity")));
  for (const other of others)
    yield atField(
      other,
      ["llmPromptSecurity"],
      `'${first?.displayName}' is of this type already; an app has one at most`,
    );
}

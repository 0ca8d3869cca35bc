import { isSystemToolName } from "#resources";
import type { LintedApp, LintedResource } from "../app/linted-app.ts";
import { field, textField } from "../app/manifest-fields.ts";
import type { Report, Rule, TextEdit } from "../contract.ts";
import { atField, quoted } from "./report.ts";

/** A: manifests of the app and its agents. */
export const CONFIG_RULES: readonly Rule[] = [
  {
    id: "A001",
    name: "config-json-parse",
    severity: "error",
    summary: "a manifest that is not valid JSON or YAML",
    check: unparsedManifests,
  },
  {
    id: "A002",
    name: "config-required-fields",
    severity: "error",
    summary:
      "an app or agent without `displayName`; without `name`, which gets a new id with each import, it is an info",
    check: missingNames,
  },
  {
    id: "A003",
    name: "config-tool-exists",
    severity: "error",
    summary: "an agent that lists a tool which does not exist",
    check: missingTools,
  },
  {
    id: "A004",
    name: "config-missing-instruction",
    severity: "error",
    summary: "an agent without `instruction.txt`",
    check: missingInstructions,
  },
  {
    id: "A005",
    name: "config-root-missing-end-session",
    severity: "error",
    summary: "a root agent without the tool `end_session`",
    check: rootWithoutEndSession,
  },
  {
    id: "A006",
    name: "config-root-agent",
    severity: "error",
    summary: "a `rootAgent` that is missing, misspelt or names no agent",
    fixable: true,
    check: rootAgent,
  },
];

/** Every manifest of the app. */
function manifestsOf(app: LintedApp): readonly LintedResource[] {
  const { agents, tools, toolsets, guardrails, evaluations, expectations } = app;
  return [
    ...(app.app ? [app.app] : []),
    ...agents,
    ...tools,
    ...toolsets,
    ...guardrails,
    ...evaluations,
    ...expectations,
  ];
}

function* unparsedManifests(app: LintedApp): Iterable<Report> {
  for (const { document } of manifestsOf(app)) {
    const { problem, value } = document;
    if (problem) yield { place: problem.place, message: `cannot be parsed: ${problem.message}` };
    else if (typeof value !== "object" || value === null || Array.isArray(value))
      yield { place: document.source.placeAt(0), message: "must hold an object of fields" };
  }
}

function* missingNames({ app, agents }: LintedApp): Iterable<Report> {
  for (const each of app ? [app, ...agents] : agents) {
    if (each.document.problem) continue;
    if (textField(each.manifest, "displayName") === "")
      yield atField(each, [], "has no displayName, by which everything in a package refers to it");
    if (textField(each.manifest, "name") === "")
      yield { ...atField(each, [], "has no name, so each import gives it a new id"), severity: "info" };
  }
}

function* missingTools({ agents, tools }: LintedApp): Iterable<Report> {
  const known = new Set(tools.map(({ displayName }) => displayName));
  for (const agent of agents) {
    for (const [index, name] of agent.tools.entries()) {
      if (known.has(name) || isSystemToolName(name)) continue;
      yield atField(agent, ["tools", index], `'${name}' is no tool of this app; its tools are ${quoted(known)}`);
    }
  }
}

function* missingInstructions({ agents }: LintedApp): Iterable<Report> {
  for (const agent of agents) {
    const { manifest, instruction, folder } = agent;
    if (instruction || isRemote(manifest)) continue;
    yield atField(agent, ["instruction"], `has no instruction: write agents/${folder}/instruction.txt`);
  }
}

/** Agents that run elsewhere have no instruction and no tools. */
function isRemote(manifest: Parameters<typeof field>[0]): boolean {
  return ["remoteDialogflowAgent", "remoteA2aAgent"].some((type) => field(manifest, type) !== undefined);
}

function* rootWithoutEndSession({ app, agents }: LintedApp): Iterable<Report> {
  const name = app && textField(app.manifest, "rootAgent");
  const root = agents.find(({ displayName }) => displayName === name);
  if (!root || root.tools.includes("end_session") || isRemote(root.manifest)) return;
  yield atField(root, ["tools"], "the root agent does not list 'end_session', so it cannot end a conversation");
}

function* rootAgent({ app, agents }: LintedApp): Iterable<Report> {
  if (!app || app.document.problem) return;
  const { manifest, document } = app;
  const names = quoted(agents.map(({ displayName }) => displayName));
  const value = field(manifest, "rootAgent");
  if (value === undefined)
    yield atField(app, [], `has no rootAgent, so no conversation can start; its agents are ${names}`);
  else if (typeof value !== "string")
    yield atField(app, ["rootAgent"], "rootAgent must be the display name of an agent");
  else if (!agents.some(({ displayName }) => displayName === value))
    yield atField(app, ["rootAgent"], `rootAgent '${value}' is no agent of this app; its agents are ${names}`);
  if (!("rootAgent" in manifest) && "root_agent" in manifest) {
    const key = document.keySpan(["root_agent"]);
    yield atField(app, ["root_agent"], "write rootAgent instead of root_agent", key && [renamed(app, key)]);
  }
}

/** A key in another spelling, in quotes where it had some. */
function renamed({ document }: LintedResource, [start, end]: readonly [number, number]): TextEdit {
  const { file, text } = document.source;
  return { file, start, end, text: text.slice(start, end).replace("root_agent", "rootAgent") };
}

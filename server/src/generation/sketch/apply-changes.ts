import { clone, create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { type App, AppSchema, type LanguageSettings, LanguageSettingsSchema } from "@frontdesk/protos/ces/app";
import { PythonFunctionSchema } from "@frontdesk/protos/ces/python_function";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { Ids } from "#base";
import type { AppTree } from "#resources";
import { MAX_AGENTS, MAX_EVALUATIONS, MAX_TOOLS } from "../limits.ts";
import { agentOf } from "./agent-of.ts";
import type { AppChanges, ToolChange } from "./app-changes.ts";
import { goldenOf, scenarioOf } from "./evaluation-of.ts";
import { NamedResources } from "./named-resources.ts";
import { variableOf } from "./variable-of.ts";

/** An app with changes of a model. */
export interface Draft {
  readonly tree: AppTree;
  /** What the changes name that does not exist or may not change, one sentence each. A draft with problems is not tried. */
  readonly problems: readonly string[];
  readonly explanation: string;
}

/** What changes may do. */
export interface Scope {
  /** The app before anything was generated: what it has is not removed, and its evaluations do not change. */
  readonly base: AppTree;
  /** Display name of the only agent that may change. Default: every agent, tool and variable may. */
  readonly agent?: string | undefined;
}

/** Applies the changes of a model to an app; each entry replaces the one of its name. Shares what does not change. */
export function applyChanges(tree: AppTree, changes: AppChanges, scope: Scope, ids: Ids): Draft {
  const problems = [...scopeProblems(changes, scope)];
  const kept = withoutRemoved(tree, changes, scope, problems);
  const outline = withNewNames(kept, changes, ids);
  const names = new NamedResources(outline, problems);
  const changed = new Map(changes.agents?.map((agent) => [agent.name, agent]));
  const agents = outline.agents.map((agent) => {
    const change = changed.get(agent.displayName);
    if (!change) return agent;
    if (agent.agentType.case === "remoteDialogflowAgent" || agent.agentType.case === "remoteA2aAgent")
      problems.push(`agents['${change.name}']: this agent runs elsewhere and cannot be changed here.`);
    return agentOf(agent, change, names);
  });
  const tools = withTools(outline.tools, changes.tools ?? [], problems);
  const evaluations = evaluationsOf(outline, changes, names, problems, ids);
  const next = { ...outline, app: appOf(outline.app, changes, names, problems), agents, tools, evaluations };
  problems.push(...tooMany(next, scope.base));
  return { tree: next, problems, explanation: changes.explanation };
}

function scopeProblems(changes: AppChanges, { base, agent }: Scope): readonly string[] {
  const known = new Set(base.evaluations.map(({ displayName }) => displayName));
  const repeated = [...(changes.goldens ?? []), ...(changes.scenarios ?? [])]
    .filter(({ name }) => known.has(name))
    .map(({ name }) => `evaluations['${name}']: the app has an evaluation of this name; give yours another one.`);
  if (agent === undefined) return repeated;
  const others = [
    ...(changes.agents ?? []).filter(({ name }) => name !== agent).map(({ name }) => `agents['${name}']`),
    ...(changes.tools ?? []).map(({ name }) => `tools['${name}']`),
    ...(changes.variables ?? []).map(({ name }) => `variables['${name}']`),
    ...Object.entries(changes.app ?? {}).flatMap(([field, text]) => (text.length === 0 ? [] : [`app.${field}`])),
  ];
  return [...repeated, ...others.map((place) => `${place}: only the agent '${agent}' may be changed.`)];
}

/** Without what the changes take back. Only what this generation wrote can be. */
function withoutRemoved(tree: AppTree, { remove = [] }: AppChanges, { base }: Scope, problems: string[]): AppTree {
  const removed = (kind: string, own: ReadonlySet<string>) =>
    new Set(
      remove.flatMap((entry) => {
        if (entry.kind !== kind) return [];
        if (!own.has(entry.name)) return [entry.name];
        problems.push(
          `remove: the ${kind} '${entry.name}' is part of the app already, and only its author removes it.`,
        );
        return [];
      }),
    );
  const without = <Entry extends { readonly displayName: string }>(
    kind: string,
    list: readonly Entry[],
    own: readonly Entry[],
  ) => {
    const gone = removed(kind, new Set(own.map(({ displayName }) => displayName)));
    return list.filter(({ displayName }) => !gone.has(displayName));
  };
  const variables = removed("variable", new Set(base.app.variableDeclarations.map(({ name }) => name)));
  const app = clone(AppSchema, tree.app);
  app.variableDeclarations = app.variableDeclarations.filter(({ name }) => !variables.has(name));
  return {
    ...tree,
    app,
    agents: without("agent", tree.agents, base.agents),
    tools: without("tool", tree.tools, base.tools),
    evaluations: without("evaluation", tree.evaluations, base.evaluations),
  };
}

/** With an empty agent and tool for each new name, so that references among the changes find them. */
function withNewNames(tree: AppTree, { agents = [], tools = [] }: AppChanges, ids: Ids): AppTree {
  const isNew = (list: readonly { readonly displayName: string }[], name: string) =>
    !list.some(({ displayName }) => displayName === name);
  const newAgents = unique(agents).filter(({ name }) => isNew(tree.agents, name));
  const newTools = unique(tools).filter(({ name }) => isNew(tree.tools, name));
  const { name: app } = tree.app;
  return {
    ...tree,
    agents: [
      ...tree.agents,
      ...newAgents.map(({ name }) => create(AgentSchema, { name: `${app}/agents/${ids.uuid()}`, displayName: name })),
    ],
    tools: [
      ...tree.tools,
      ...newTools.map(({ name }) => create(ToolSchema, { name: `${app}/tools/${ids.uuid()}`, displayName: name })),
    ],
  };
}

function unique<Entry extends { readonly name: string }>(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
}

function withTools(tools: readonly Tool[], changes: readonly ToolChange[], problems: string[]): readonly Tool[] {
  const changed = new Map(changes.map((change) => [change.name, change]));
  return tools.map((tool) => {
    const change = changed.get(tool.displayName);
    if (!change) return tool;
    const { toolType } = tool;
    if (toolType.case !== undefined && toolType.case !== "pythonFunction") {
      problems.push(`tools['${change.name}']: this tool is no Python function and cannot be changed here.`);
      return tool;
    }
    const copy = clone(ToolSchema, tool);
    const value = copy.toolType.case === "pythonFunction" ? copy.toolType.value : create(PythonFunctionSchema);
    Object.assign(value, { name: change.name, pythonCode: change.code });
    copy.toolType = { case: "pythonFunction", value };
    return copy;
  });
}

function appOf(before: App, changes: AppChanges, names: NamedResources, problems: string[]): App {
  const app = clone(AppSchema, before);
  const texts = changes.app;
  if (texts?.display_name) app.displayName = texts.display_name;
  if (texts?.description) app.description = texts.description;
  if (texts?.global_instruction) app.globalInstruction = texts.global_instruction;
  if (texts?.root_agent) app.rootAgent = names.agent(texts.root_agent, "app.root_agent") ?? app.rootAgent;
  if (texts?.languages?.length) app.languageSettings = languagesOf(app.languageSettings, texts.languages, problems);
  const written = new Map(changes.variables?.map((variable) => [variable.name, variable]));
  const replaced = app.variableDeclarations.map((declaration) => {
    const change = written.get(declaration.name);
    written.delete(declaration.name);
    return change ? variableOf(declaration, change, problems) : declaration;
  });
  const added = [...written.values()].map((change) => variableOf(undefined, change, problems));
  app.variableDeclarations = [...replaced, ...added];
  return app;
}

/** Voices, fallback messages and what is listened for follow the languages, so an app in another one than English needs them. */
function languagesOf(
  before: LanguageSettings | undefined,
  languages: readonly string[],
  problems: string[],
): LanguageSettings {
  const [defaultLanguageCode = "", ...others] = [...new Set(languages)];
  for (const language of languages)
    if (!isLanguage(language)) problems.push(`app.languages: '${language}' is no BCP-47 code such as 'de-DE'.`);
  const settings = before ? clone(LanguageSettingsSchema, before) : create(LanguageSettingsSchema);
  const enableMultilingualSupport = others.length > 0 || settings.enableMultilingualSupport;
  return Object.assign(settings, { defaultLanguageCode, supportedLanguageCodes: others, enableMultilingualSupport });
}

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

function isLanguage(code: string): boolean {
  try {
    return LANGUAGE_NAMES.of(code) !== undefined;
  } catch {
    return false; // no code of any language could look so
  }
}

/** The app's own evaluations, and those of the draft with the changes. */
function evaluationsOf(
  { app, evaluations }: AppTree,
  { goldens = [], scenarios = [] }: AppChanges,
  names: NamedResources,
  problems: string[],
  ids: Ids,
): AppTree["evaluations"] {
  const nameOf = (displayName: string) =>
    evaluations.find((one) => one.displayName === displayName)?.name ?? `${app.name}/evaluations/${ids.uuid()}`;
  const written = [
    ...unique(goldens).map((golden) => goldenOf(nameOf(golden.name), golden, names, problems)),
    ...unique(scenarios).map((scenario) => scenarioOf(nameOf(scenario.name), scenario)),
  ];
  const replaced = new Set(written.map(({ displayName }) => displayName));
  return [...evaluations.filter(({ displayName }) => !replaced.has(displayName)), ...written];
}

/** An app that has more already may keep what it has. */
function tooMany(tree: AppTree, base: AppTree): readonly string[] {
  const limits = { agents: MAX_AGENTS, tools: MAX_TOOLS, evaluations: MAX_EVALUATIONS } as const;
  return (["agents", "tools", "evaluations"] as const).flatMap((part) => {
    const most = Math.max(limits[part], base[part].length);
    return tree[part].length > most ? [`The app has ${tree[part].length} ${part}; at most ${most}.`] : [];
  });
}

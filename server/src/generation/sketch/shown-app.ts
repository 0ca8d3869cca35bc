import { idOf } from "#aip";
import type { AppTree } from "#resources";
import { failedPrecondition } from "#status";
import { MAX_OVERVIEW, MAX_SHOWN_APP } from "../limits.ts";
import { agentChangeOf } from "./agent-of.ts";
import { variableChangeOf } from "./variable-of.ts";

/**
 * An app as a model is shown it, as JSON: what it may change in the form of changes, and of everything else the name and what it is for. No
 * addresses, credentials or settings. FAILED_PRECONDITION for an app that is too large to be shown.
 */
export function shownApp(tree: AppTree): string {
  const text = textOf(tree);
  if (text.length <= MAX_SHOWN_APP) return text;
  throw failedPrecondition(
    `The app is too large for a language model to read: ${text.length.toLocaleString("en")} characters of instructions and code, at ` +
      `most ${MAX_SHOWN_APP.toLocaleString("en")}. Name one agent in app_version_context.agent_resource_name, or refine its parts one by one.`,
  );
}

/** An app for a model that can read more of it: as `shownApp`, and of a large app what things are called and what they are for. */
export function appOverview(tree: AppTree): string {
  const text = textOf(tree);
  if (text.length <= MAX_OVERVIEW) return text;
  const { app, agents, tools, toolsets, guardrails, evaluations } = tree;
  const named = (list: readonly { readonly displayName: string; readonly name: string }[]) =>
    list.map(({ displayName, name }) => ({ display_name: displayName, name }));
  const lists = { agents, tools, toolsets, guardrails, evaluations };
  const names = Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, named(list)]));
  const { displayName: display_name, description, rootAgent: root_agent } = app;
  return JSON.stringify({ app: { display_name, description, root_agent }, ...names }, null, 1).slice(0, MAX_SHOWN_APP);
}

function textOf(tree: AppTree): string {
  const { app, agents, tools, toolsets, guardrails, evaluations } = tree;
  const displayNames = new Map([...agents, ...tools].map(({ name, displayName }) => [name, displayName]));
  const nameOf = (resource: string) => displayNames.get(resource) ?? idOf(resource);
  const python = tools.flatMap(({ displayName, toolType }) =>
    toolType.case === "pythonFunction" ? [{ name: displayName, code: toolType.value.pythonCode }] : [],
  );
  const shown = {
    app: {
      display_name: app.displayName,
      description: app.description,
      global_instruction: app.globalInstruction,
      root_agent: app.rootAgent === "" ? "" : nameOf(app.rootAgent),
      languages: languagesOf(app),
    },
    variables: app.variableDeclarations.map(variableChangeOf),
    agents: agents.map((agent) => agentChangeOf(agent, nameOf)),
    tools: python,
    other_tools: tools.flatMap(otherTool),
    toolsets: toolsets.map(({ displayName, description }) => ({ name: displayName, description })),
    guardrails: guardrails.map(({ displayName, description }) => ({ name: displayName, description })),
    evaluations: evaluations.map(({ displayName, description }) => ({ name: displayName, description })),
  };
  return JSON.stringify(shown, null, 1);
}

function languagesOf({ languageSettings }: AppTree["app"]): readonly string[] {
  const { defaultLanguageCode = "", supportedLanguageCodes = [] } = languageSettings ?? {};
  return [defaultLanguageCode, ...supportedLanguageCodes].filter(Boolean);
}

function otherTool({ displayName, toolType }: AppTree["tools"][number]): readonly object[] {
  if (toolType.case === "pythonFunction" || toolType.case === undefined) return [];
  const description = "description" in toolType.value ? toolType.value.description : "";
  return [{ name: displayName, kind: toolType.case, description }];
}

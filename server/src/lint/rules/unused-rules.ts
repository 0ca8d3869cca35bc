import { isJsonObject } from "#base";
import type { LintedAgent, LintedApp } from "../app/linted-app.ts";
import { listField, objectField, textField, textsField } from "../app/manifest-fields.ts";
import type { Report, Rule } from "../contract.ts";
import { atField } from "./report.ts";

/** P: agents and guardrails that no turn comes to, and rules that lead in circles. These ids are ours. */
export const UNUSED_RULES: readonly Rule[] = [
  {
    id: "P006",
    name: "agent-unreachable",
    severity: "warning",
    summary: "an agent that nothing leads to: no tree, instruction, tool, guardrail or code",
    check: unreachableAgents,
  },
  {
    id: "P007",
    name: "guardrail-unused",
    severity: "warning",
    summary: "a guardrail that neither the app nor an agent lists, so that it never judges",
    check: unusedGuardrails,
  },
  {
    id: "P008",
    name: "transfer-circle",
    severity: "warning",
    summary: "two transfer rules that lead to a child and back from it under one condition",
    check: circles,
  },
];

function* unreachableAgents(app: LintedApp): Iterable<Report> {
  const { agents, files } = app;
  const root = textField(app.app?.manifest ?? {}, "rootAgent");
  if (!agents.some(({ displayName }) => displayName === root)) return;
  const reached = new Set([root]);
  const parents = new Map(agents.flatMap((agent) => childrenOf(agent).map((child) => [child, agent.displayName])));
  const texts = [...files].filter(([path]) => !path.startsWith("evaluation"));
  for (const { displayName, folder } of agents) {
    if (parents.has(displayName)) continue;
    // What names an agent, in whatever file, may lead to it: code, guardrails and tools do.
    const own = `agents/${folder}/`;
    if (texts.some(([path, { text }]) => !path.startsWith(own) && text.includes(displayName))) reached.add(displayName);
  }
  // A child is reached from its parent, and a parent from its child.
  for (const name of reached) {
    for (const child of childrenOf(agents.find(({ displayName }) => displayName === name))) reached.add(child);
    const parent = parents.get(name);
    if (parent !== undefined) reached.add(parent);
  }
  for (const agent of agents)
    if (!reached.has(agent.displayName))
      yield atField(
        agent,
        ["displayName"],
        `nothing leads to '${agent.displayName}' from the root agent '${root}': list it in the childAgents of an agent, refer to it as {@AGENT: ${agent.displayName}}, or remove it`,
      );
}

function childrenOf(agent: LintedAgent | undefined): readonly string[] {
  return agent ? textsField(agent.manifest, "childAgents") : [];
}

function* unusedGuardrails({ app, agents, guardrails }: LintedApp): Iterable<Report> {
  const listed = new Set(
    [...(app ? [app] : []), ...agents].flatMap(({ manifest }) => textsField(manifest, "guardrails")),
  );
  for (const guardrail of guardrails)
    if (!listed.has(guardrail.displayName))
      yield atField(
        guardrail,
        ["displayName"],
        `neither the app nor an agent lists '${guardrail.displayName}' in its guardrails, so it never judges`,
      );
}

function* circles({ agents }: LintedApp): Iterable<Report> {
  for (const agent of agents) {
    const seen = new Map<string, { direction: string; index: number }>();
    for (const [index, rule] of listField(agent.manifest, "transferRules").entries()) {
      if (!isJsonObject(rule)) continue;
      const condition = objectField(objectField(rule, "deterministicTransfer"), "expressionCondition");
      const expression = textField(condition, "expression").replaceAll(/\s/g, "");
      const [child, direction] = [textField(rule, "childAgent"), textField(rule, "direction")];
      if (expression === "" || direction === "") continue;
      const key = JSON.stringify([child, expression]);
      const other = seen.get(key);
      if (!other) seen.set(key, { direction, index });
      else if (other.direction !== direction)
        yield atField(
          agent,
          ["transferRules", index],
          `leads back under the same condition as transferRules[${other.index}], so that both go in circles; give one of them another condition`,
        );
    }
  }
}

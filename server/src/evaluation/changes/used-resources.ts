import type { Agent } from "@frontdesk/protos/ces/agent";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import { toolKey } from "../observation/observed-turn.ts";

/**
 * The agents, tools, toolsets and guardrails that took part in a turn (resource names), from its messages and its trace. What an agent
 * could have called counts, because its declaration was offered to the model, and so do all guardrails.
 */
export function usedResources(
  messages: readonly Message[],
  root: Span,
  { app, agents, tools, toolsets, guardrails }: AppSnapshot,
): ReadonlySet<string> {
  const used = new Set(guardrails.map(({ name }) => name));
  const byName = new Map(
    [...agents, ...tools].flatMap(({ name, displayName }) => [
      [displayName, name] as const,
      [name.slice(name.lastIndexOf("/") + 1), name] as const,
    ]),
  );
  const add = (name: unknown) => {
    const found = typeof name === "string" ? byName.get(name) : undefined;
    if (found) used.add(found);
  };
  if (app?.rootAgent) used.add(app.rootAgent);
  for (const { attributes } of root.childSpans) {
    add(attributes?.agent);
    add(attributes?.name);
  }
  for (const { role, chunks } of messages) {
    add(role);
    for (const { data } of chunks) {
      if (data.case === "agentTransfer") used.add(data.value.targetAgent);
      if (data.case !== "toolCall") continue;
      const key = toolKey(data.value);
      used.add(key);
      const toolset = toolsets.find(({ name }) => key.startsWith(`${name}/`));
      if (toolset) used.add(toolset.name);
    }
  }
  for (const agent of agents) if (used.has(agent.name)) for (const offered of offeredBy(agent)) used.add(offered);
  return used;
}

function offeredBy({ tools, toolsets }: Agent): readonly string[] {
  return [...tools, ...toolsets.map(({ toolset }) => toolset)];
}

import type { AgentNode } from "../app-index.ts";
import { appendToPrompt } from "./append-to-prompt.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** Whom the agent may hand the conversation to. The opening words are the runtime's own: user code looks for them. */
export const transferTargets: RequestProcessor = (request, { agent }) => appendToPrompt(request, blockOf(agent));

/** An agent's neighbours never change within a snapshot. */
const blocks = new WeakMap<AgentNode, string>();

function blockOf(agent: AgentNode): string {
  let block = blocks.get(agent);
  if (block === undefined) {
    block = agent.transferTargets.length === 0 ? "" : transferBlock(agent);
    blocks.set(agent, block);
  }
  return block;
}

function transferBlock({ transferTargets: targets, parent }: AgentNode): string {
  const list = targets.map(
    ({ displayName, agent }) => `Agent name: ${displayName}\nAgent description: ${agent.description}`,
  );
  const lines = [
    "You have a list of other agents to transfer to:",
    ...list.map((entry) => `\n${entry}`),
    "\nAnswer yourself when your own description covers the request. When another agent's description covers it better, " +
      "call the function transfer_to_agent with that agent's name, without any other words.",
  ];
  if (parent)
    lines.push(
      `When neither you nor the others are right for the request, transfer to your parent agent ${parent.displayName}.`,
    );
  return lines.join("\n");
}

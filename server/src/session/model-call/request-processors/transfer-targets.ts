import type { AgentNode } from "../../app-index.ts";
import type { OfferedTools } from "../../tool-calls/offered-tools.ts";
import { appendToPrompt } from "./append-to-prompt.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** Whom the agent may hand the conversation to (TURN-21). The opening words are the runtime's own: user code looks for them. */
export const transferTargets: RequestProcessor = (request, { agent }, offered) =>
  appendToPrompt(request, blockOf(agent, offered));

/** What an agent is offered rarely changes within a snapshot. */
const blocks = new WeakMap<OfferedTools, string>();

function blockOf(agent: AgentNode, offered: OfferedTools): string {
  let block = blocks.get(offered);
  if (block === undefined) {
    block = offered.transferTargets.length === 0 ? "" : transferBlock(agent, offered.transferTargets);
    blocks.set(offered, block);
  }
  return block;
}

function transferBlock({ parent }: AgentNode, targets: readonly AgentNode[]): string {
  const list = targets.map(
    ({ displayName, agent }) => `Agent name: ${displayName}\nAgent description: ${agent.description}`,
  );
  const lines = [
    "You have a list of other agents to transfer to:",
    ...list.map((entry) => `\n${entry}`),
    "\nAnswer yourself when your own description covers the request. When another agent's description covers it better, " +
      "call the function transfer_to_agent with that agent's name, without any other words.",
  ];
  if (parent && targets.includes(parent))
    lines.push(
      `When neither you nor the others are right for the request, transfer to your parent agent ${parent.displayName}.`,
    );
  return lines.join("\n");
}

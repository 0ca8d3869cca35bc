import { type Action, call } from "./action.ts";
import { TRANSFER } from "./conversation.ts";
import { canTransfer, type Situation } from "./situation.ts";

/** Hands the conversation to an agent. */
export function transfer(agent: string): Action {
  return call(`transfer:${agent}`, TRANSFER, { agent_name: agent });
}

/** The transfer that the instruction names for everything else, where it can be made. */
export function wayOut(situation: Situation): Action | undefined {
  const agents = situation.instruction.rules.flatMap((rule) => (rule.occasion === "otherwise" ? rule.agents : []));
  const agent = agents.find((name) => canTransfer(situation, name));
  return agent === undefined ? undefined : transfer(agent);
}

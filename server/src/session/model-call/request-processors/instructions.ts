import { channelOf } from "../../channel.ts";
import { predefinedOf } from "../../state/variables.ts";
import { isConstant, renderInstruction } from "../instruction-template.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** The app's global instruction and the agent's own, with static variables filled in. */
export const instructions: RequestProcessor = (request, turn) => {
  const { agent, variables } = turn;
  if (isConstant(agent.instruction)) return { ...request, system: renderInstruction(agent.instruction, {}) };
  return {
    ...request,
    system: renderInstruction(agent.instruction, {
      ...channelOf(turn.request),
      ...predefinedOf(turn),
      ...variables.values,
    }),
  };
};

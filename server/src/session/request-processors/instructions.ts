import { renderInstruction } from "../instruction-template.ts";
import { predefinedOf } from "../variables.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** The app's global instruction and the agent's own, with static variables filled in. */
export const instructions: RequestProcessor = (request, turn) => {
  const { agent, variables } = turn;
  const { segments } = agent.instruction;
  const [first] = segments;
  if (segments.length <= 1 && first?.kind !== "static") return { ...request, system: first?.text ?? "" };
  return { ...request, system: renderInstruction(agent.instruction, { ...predefinedOf(turn), ...variables.values }) };
};

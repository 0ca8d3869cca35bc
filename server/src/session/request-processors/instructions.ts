import { renderInstruction } from "../instruction-template.ts";
import { predefinedVariables } from "../variables.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** The app's global instruction and the agent's own, with static variables filled in. */
export const instructions: RequestProcessor = (request, { agent, variables, engine, index, request: { config } }) => {
  const { segments } = agent.instruction;
  const [first] = segments;
  if (segments.length <= 1 && first?.kind !== "static") return { ...request, system: first?.text ?? "" };
  const predefined = predefinedVariables(engine.clock.now(), config.timeZone || index.timeZone);
  return { ...request, system: renderInstruction(agent.instruction, { ...predefined, ...variables.values }) };
};

import type { RequestProcessor } from "./request-processors.ts";

/** What the built-in model may look at beside the prompt; other providers ignore it. */
export const modelHints: RequestProcessor = (request, { agent, variables }, offered) => ({
  ...request,
  hints: {
    agentName: agent.displayName,
    instruction: agent.agent.instruction,
    transferTargets: offered.transferTargets.map((target) => ({
      name: target.displayName,
      description: target.agent.description,
    })),
    state: variables.values,
    cases: agent.cases,
  },
});

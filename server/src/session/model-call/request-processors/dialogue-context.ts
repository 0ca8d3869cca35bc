import type { LanguageModel, ModelRequest } from "#models";
import type { RequestProcessor } from "./request-processors.ts";

/** The agent and its dialogue in structured form, and the agent as the caller. */
export const dialogueContext: RequestProcessor = (request, { agent, variables }, offered) => ({
  ...request,
  caller: agent.displayName,
  dialogueContext: {
    agentName: agent.displayName,
    instruction: agent.agent.instruction,
    transferTargets: offered.transferTargets.map((target) => ({
      name: target.displayName,
      description: target.agent.description,
    })),
    state: variables.values,
    examples: agent.cases,
  },
});

/** The request with those parts that the model declares to read. */
export function supportedRequest(request: ModelRequest, { capabilities }: LanguageModel): ModelRequest {
  if (capabilities.dialogueContext || !request.dialogueContext) return request;
  const { dialogueContext: _context, ...rest } = request;
  return rest;
}

import type { RequestProcessor } from "./request-processors.ts";

/** The functions of the agent's tools, and the hand-over where there is somewhere to go. */
export const toolDeclarations: RequestProcessor = (request, _turn, offered) => ({
  ...request,
  tools: offered.declarations,
});

import type { RequestProcessor } from "./request-processors.ts";

/** The conversation so far, this turn's input included. */
export const conversationHistory: RequestProcessor = (request, { history }) => ({
  ...request,
  messages: history.messages(),
});

/** Conversational analytics: a question becomes SQL, rows, a chart and an answer, as one stream of messages. */
export type { Analytics, ChatRequest } from "./contract.ts";

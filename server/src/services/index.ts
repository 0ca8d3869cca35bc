/** One file per proto service: request → domain → response. */
export { createServices } from "./create-services.ts";
export type { Identity } from "./data-callers.ts";
export { EMBEDDED_PAGE } from "./embedded-page.ts";
export { createEvaluationResources } from "./evaluation-resources.ts";
export { refuseAnonymous } from "./refuse-anonymous.ts";
export { restrictChatTokenCallers } from "./restrict-chat-token-callers.ts";

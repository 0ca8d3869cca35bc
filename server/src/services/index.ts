/** One file per proto service: request → domain → response. */
export { createServices } from "./create-services.ts";
export { createCredentialService } from "./credential-service.ts";
export { EMBEDDED_PAGE } from "./embedded-page.ts";
export { createEvaluationResources } from "./evaluation-resources.ts";
export { createGenerationResources } from "./generation-resources.ts";
export { createPolicyService } from "./policy-service.ts";
export { isWidgetRequest, restrictChatTokenCallers } from "./restrict-chat-token-callers.ts";

/** One file per proto service: request → domain → response; what several of one API share is in its folder. */
export { type A2aAgents, createA2aAgents } from "./a2a/a2a-agents.ts";
export { type A2aCards, createA2aCards } from "./a2a/a2a-cards.ts";
export { nameDefaultAgent } from "./a2a/a2a-default-agent.ts";
export type { ChargedModels } from "./agent-service.ts";
export { createServices } from "./create-services.ts";
export { createCredentialService } from "./credential-service.ts";
export { answerPinned } from "./data/answer-pinned.ts";
export { createEvaluationResources } from "./evaluation-resources.ts";
export { createGenerationResources } from "./generation-resources.ts";
export type { ServingState } from "./grpc/health-service.ts";
export { createPolicyService } from "./policy-service.ts";
export { createSnapshotResolver, type SnapshotResolver } from "./snapshot-resolver.ts";
export { EMBEDDED_PAGE } from "./widget/embedded-page.ts";
export { isWidgetRequest, restrictChatTokenCallers } from "./widget/restrict-chat-token-callers.ts";

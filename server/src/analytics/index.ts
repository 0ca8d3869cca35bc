/** Conversational analytics: a question becomes SQL, rows, a chart and an answer, as one stream of messages. */

export { agentDeletedError } from "./agents/agent-changes.ts";
export type { DataAgents } from "./agents/data-agents.ts";
export { contextViolations } from "./agents/validate-agent.ts";
export { dataResult } from "./chat/data-result.ts";
export type { DataConnections } from "./connections/data-connections.ts";
export { buildSemanticModel } from "./context/semantic-model.ts";
export { stem, type Token, tokenize } from "./context/tokenizer.ts";
export type {
  Analytics,
  ChartHint,
  ChatRequest,
  Relationship,
  SemanticColumn,
  SemanticModel,
  SemanticTable,
} from "./contract.ts";
export type { DataConversations, OwnedConversation, ShownConversations } from "./conversations/data-conversations.ts";
export type { DataMessages } from "./conversations/data-messages.ts";
export { type AnalyticsDeps, createAnalytics, type RulePlanners } from "./create-analytics.ts";
export { createDataStores, type DataStores } from "./create-data-stores.ts";
export { importAgentModel } from "./defined/agent-model.ts";
export type { DefinedModel } from "./defined/bind-model.ts";
export type { DataFiles } from "./files/data-files.ts";
export { FILE_LIMITS } from "./files/file-limits.ts";
export type { LookerPlan, LookerPlanner } from "./looker/looker-planner.ts";
export { findExplore } from "./looker/validate-query.ts";
export { snakeCase } from "./plan/model-planner.ts";
export type { NamedResult, PastTurn, Plan, Planner, PlanRequest } from "./plan/planner.ts";
export type { ResultCacheLimits } from "./results/result-cache.ts";
export { estimateTokens, relevantModel, SCHEMA_TOKENS } from "./retrieval/relevant-model.ts";
export type { AccessRule } from "./rules/access-rules.ts";
export { ConditionFault, readCondition } from "./rules/read-condition.ts";
export type { RefreshSchedules } from "./schedules/refresh-schedules.ts";
export { type AnswerPinned, createRefreshes, type Refreshes, type RefreshOutcomes } from "./schedules/run-refreshes.ts";
export { agentOfSharedAnswer } from "./shared/shared-answer-name.ts";
export type { SharedAnswers } from "./shared/shared-answers.ts";
export { contextsOfAgent, type DataContext } from "./sources/agents-reading.ts";
export type { OwnData } from "./sources/own-data.ts";
export type { Budgets } from "./statements/budgets.ts";

import type { A2aTasks } from "#a2a";
import type { Access, PolicyBook, ResourcePolicies } from "#access";
import type { Analytics, DataStores } from "#analytics";
import type { Assistant } from "#assistant";
import type { Clock, Ids } from "#base";
import type { Evaluations } from "#evaluation";
import type { Generation } from "#generation";
import type { Authentication, ChatTokens } from "#identity";
import type { Operations } from "#operations";
import type { QuotaRule, Quotas } from "#quota";
import type { Resources } from "#resources";
import type { ServiceRegistration } from "#rpc";
import type { Conversations, LiveSessions, SessionEngine } from "#session";
import type { AuditStore } from "#storage";
import type { Tools } from "#tools";
import type { A2aAgents } from "./a2a/a2a-agents.ts";
import type { A2aCards } from "./a2a/a2a-cards.ts";
import { createA2aService } from "./a2a/a2a-service.ts";
import { type ChargedModels, createAgentService } from "./agent-service.ts";
import { createAssistantService } from "./assistant-service.ts";
import { createAuditService } from "./audit-service.ts";
import { createCredentialService } from "./credential-service.ts";
import { createDataAgentService } from "./data/data-agent-service.ts";
import { createDataChatService } from "./data/data-chat-service.ts";
import { createEvaluationService } from "./evaluation-service.ts";
import { createHealthService, type ServingState } from "./grpc/health-service.ts";
import { createReflectionService } from "./grpc/reflection-service.ts";
import { createJobService } from "./job-service.ts";
import { createLocationsService } from "./locations-service.ts";
import { createOperationsService } from "./operations-service.ts";
import { createPolicyService } from "./policy-service.ts";
import { createQuotaService } from "./quota-service.ts";
import { createSessionService } from "./session-service.ts";
import type { SnapshotResolver } from "./snapshot-resolver.ts";
import { createToolService } from "./tools/tool-service.ts";
import { createChatTokenGuard } from "./widget/chat-token-guard.ts";
import { createPublicSessionCheck } from "./widget/public-sessions.ts";
import { createWidgetService } from "./widget/widget-service.ts";

interface ServicesDeps {
  readonly resources: Resources;
  readonly operations: Operations;
  readonly sessions: SessionEngine;
  readonly live: LiveSessions;
  readonly quotas: Pick<Quotas, "openStream" | "list">;
  readonly quotaRules: readonly QuotaRule[];
  readonly audit: Pick<AuditStore, "list">;
  readonly tools: Tools;
  readonly conversations: Conversations;
  readonly evaluations: Evaluations;
  /** Apps as agents of the A2A protocol. */
  readonly a2a: { readonly tasks: A2aTasks; readonly agents: A2aAgents; readonly cards: A2aCards };
  readonly snapshots: SnapshotResolver;
  readonly generation: Generation;
  readonly assistant: Assistant;
  readonly chargedModels: ChargedModels;
  readonly chatTokens: ChatTokens;
  readonly authentication: Authentication;
  readonly data: DataStores;
  readonly analytics: Analytics;
  readonly access: Access;
  readonly policyBook: PolicyBook;
  readonly policies: ResourcePolicies;
  /** Whether the server takes calls. */
  readonly serving: () => Promise<ServingState>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Every service of the API, in the order of the documentation. */
export function createServices({
  resources,
  operations,
  sessions,
  live,
  quotas,
  quotaRules,
  audit,
  tools,
  conversations,
  evaluations,
  a2a,
  snapshots,
  generation,
  assistant,
  chargedModels,
  chatTokens,
  authentication,
  data,
  analytics,
  access,
  policyBook,
  policies,
  serving,
  clock,
  ids,
}: ServicesDeps): readonly ServiceRegistration[] {
  const standard = { standard: resources.standard, operations, access, clock };
  const services = [
    createAgentService({ ...standard, resources, conversations, generation, chargedModels }),
    createSessionService({
      sessions,
      live,
      quotas,
      snapshots,
      chatTokenGuard: createChatTokenGuard(chatTokens),
      checkSession: createPublicSessionCheck(chatTokens, conversations),
      access,
      assistant,
      chargedModels,
    }),
    createToolService({ tools, clock, ids, sessions, snapshots: resources.snapshots }),
    createWidgetService({ chatTokens, standard: resources.standard, access }),
    createEvaluationService({ ...standard, evaluations }),
    createAssistantService({ ...standard, assistant, chargedModels }),
    createA2aService(a2a),
    createDataAgentService({
      operations,
      clock,
      agents: data.agents,
      files: data.files,
      connections: data.connections,
      ownData: data.ownData,
      schedules: data.schedules,
      shared: data.shared,
      analytics,
      access,
      policyBook,
      policies,
    }),
    createDataChatService({ ...data, analytics, access, chargedModels, clock, ids }),
    createCredentialService({ authentication, clock }),
    createAuditService(audit, access),
    createQuotaService(quotas, quotaRules, access),
    createOperationsService(operations, access),
    createJobService(operations, access),
    createLocationsService(),
    createPolicyService(policies),
    createHealthService(serving, () => names),
  ];
  const all = [...services, createReflectionService(services)];
  const names: ReadonlySet<string> = new Set(
    all.flatMap(({ service, otherRevisions = [] }) => [service, ...otherRevisions].map(({ typeName }) => typeName)),
  );
  return all;
}

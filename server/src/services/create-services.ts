import { A2AService } from "@frontdesk/protos/a2a/a2a";
import { AssistantService } from "@frontdesk/protos/ces/assistant_service";
import type { Access, PolicyBook, ResourcePolicies } from "#access";
import type { Analytics, DataStores } from "#analytics";
import type { Clock, Ids } from "#base";
import type { Evaluations } from "#evaluation";
import type { Generation } from "#generation";
import type { Authentication, ChatTokens } from "#identity";
import type { Operations } from "#operations";
import type { Quotas } from "#quota";
import type { Resources } from "#resources";
import { defineService, type ServiceRegistration } from "#rpc";
import type { Conversations, LiveSessions, SessionEngine } from "#session";
import type { AuditStore } from "#storage";
import type { Tools } from "#tools";
import { type ChargedModels, createAgentService } from "./agent-service.ts";
import { createAuditService } from "./audit-service.ts";
import { createChatTokenGuard } from "./chat-token-guard.ts";
import { createCredentialService } from "./credential-service.ts";
import { createDataAgentService } from "./data-agent-service.ts";
import { createDataChatService } from "./data-chat-service.ts";
import { createEvaluationService } from "./evaluation-service.ts";
import { createLocationsService } from "./locations-service.ts";
import { createOperationsService } from "./operations-service.ts";
import { createPolicyService } from "./policy-service.ts";
import { createSessionService } from "./session-service.ts";
import { createSnapshotResolver } from "./snapshot-resolver.ts";
import { createToolService } from "./tool-service.ts";
import { createWidgetService } from "./widget-service.ts";

interface ServicesDeps {
  readonly resources: Resources;
  readonly operations: Operations;
  readonly sessions: SessionEngine;
  readonly live: LiveSessions;
  readonly quotas: Pick<Quotas, "openStream">;
  readonly audit: Pick<AuditStore, "list">;
  readonly tools: Tools;
  readonly conversations: Conversations;
  readonly evaluations: Evaluations;
  readonly generation: Generation;
  readonly chargedModels: ChargedModels;
  readonly chatTokens: ChatTokens;
  readonly authentication: Authentication;
  readonly data: DataStores;
  readonly analytics: Analytics;
  readonly access: Access;
  readonly policyBook: PolicyBook;
  readonly policies: ResourcePolicies;
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
  audit,
  tools,
  conversations,
  evaluations,
  generation,
  chargedModels,
  chatTokens,
  authentication,
  data,
  analytics,
  access,
  policyBook,
  policies,
  clock,
  ids,
}: ServicesDeps): readonly ServiceRegistration[] {
  const standard = { standard: resources.standard, operations, access, clock };
  const snapshots = createSnapshotResolver(resources);
  return [
    createAgentService({ ...standard, resources, conversations, generation, chargedModels }),
    createSessionService({
      sessions,
      live,
      quotas,
      snapshots,
      chatTokenGuard: createChatTokenGuard(chatTokens),
      access,
    }),
    createToolService({ tools, clock, ids, sessions, snapshots: resources.snapshots }),
    createWidgetService({ chatTokens, standard: resources.standard, access }),
    createEvaluationService({ ...standard, evaluations }),
    defineService(AssistantService, [], {}),
    defineService(A2AService, [], {}),
    createDataAgentService({ operations, clock, agents: data.agents, access, policyBook, policies }),
    createDataChatService({ ...data, analytics, access, clock, ids }),
    createCredentialService({ authentication, clock }),
    createAuditService(audit),
    createOperationsService(operations, access),
    createLocationsService(),
    createPolicyService(policies),
  ];
}

import type { Clock } from "#base";
import type { Operations } from "#operations";
import type { Resources } from "#resources";
import type { ServiceRegistration } from "#rpc";
import type { Conversations, LiveSessions, SessionEngine } from "#session";
import type { Tools } from "#tools";
import { createAgentService } from "./agent-service.ts";
import { createChatTokenGuard } from "./chat-token-guard.ts";
import { createChatTokens } from "./chat-tokens.ts";
import { createEvaluationService } from "./evaluation-service.ts";
import { createLocationsService } from "./locations-service.ts";
import { createOperationsService } from "./operations-service.ts";
import { createSessionService } from "./session-service.ts";
import { createSnapshotResolver } from "./snapshot-resolver.ts";
import { createToolService } from "./tool-service.ts";
import { createWidgetService } from "./widget-service.ts";

export interface ServicesDeps {
  readonly resources: Resources;
  readonly operations: Operations;
  readonly sessions: SessionEngine;
  readonly live: LiveSessions;
  readonly tools: Tools;
  readonly conversations: Conversations;
  /** Signs chat tokens. */
  readonly chatTokenKey: Uint8Array;
  readonly clock: Clock;
}

/** Every service of the API, in the order of the documentation. */
export function createServices({
  resources,
  operations,
  sessions,
  live,
  tools,
  conversations,
  chatTokenKey,
  clock,
}: ServicesDeps): readonly ServiceRegistration[] {
  const standard = { standard: resources.standard, operations, clock };
  const snapshots = createSnapshotResolver(resources);
  const chatTokens = createChatTokens({ key: chatTokenKey, clock });
  return [
    createAgentService({ ...standard, resources, conversations }),
    createSessionService({ sessions, live, snapshots, chatTokenGuard: createChatTokenGuard(chatTokens) }),
    createToolService({ tools, clock, snapshots: resources.snapshots }),
    createWidgetService({ chatTokens, standard: resources.standard }),
    createEvaluationService(standard),
    createOperationsService(operations),
    createLocationsService(),
  ];
}

import { type A2aTasks, createA2aTasks, type PublicAddress } from "#a2a";
import type { Access } from "#access";
import { legacyTaskJson } from "#protocols";
import { type A2aAgents, type A2aCards, createA2aAgents, createA2aCards, type SnapshotResolver } from "#services";
import type { Config } from "../config.ts";
import { cardSecurity } from "./card-security.ts";
import type { Platform } from "./platform.ts";
import type { Sessions } from "./sessions.ts";

/** Apps as agents of the A2A protocol. */
export interface A2a {
  readonly tasks: A2aTasks;
  readonly agents: A2aAgents;
  readonly cards: A2aCards;
}

interface A2aParts extends Pick<Sessions, "sessions" | "redaction"> {
  readonly snapshots: SnapshotResolver;
  readonly access: Access;
}

/** Creates tasks, agents and cards. */
export function createA2a(platform: Platform, { sessions, redaction, snapshots, access }: A2aParts): A2a {
  const { config, storage, egress, sealer, clock, ids, logger } = platform;
  const agents = createA2aAgents({ snapshots, defaultAgent: () => defaultAgent(platform) });
  const cards = createA2aCards({
    agents,
    addressOf: (host) => addressOf(host, config),
    security: () => cardSecurity(config),
    access,
    published: config.a2a.agent,
  });
  const tasks = createA2aTasks({
    sessions,
    conversations: storage.conversations,
    store: storage.tasks,
    redaction,
    egress,
    sealer,
    legacyTaskJson,
    agentOf: agents.of,
    clock,
    ids,
    logger,
  });
  return { tasks, agents, cards };
}

/** The operator's agent, else the only app (A2A-1). */
async function defaultAgent({ config, storage }: Platform): Promise<string | undefined> {
  if (config.a2a.agent) return config.a2a.agent;
  const query = {
    type: "ces.googleapis.com/App",
    parent: "projects/-/locations/-",
    orderBy: "name",
    descending: false,
  } as const;
  const { rows, last } = await storage.resources.list({ ...query, limit: 1 });
  return last ? undefined : rows[0]?.name;
}

/** The address that the client used, unless the operator says what it is outside. */
function addressOf(host: string | undefined, { auth, tls, port }: Config): PublicAddress {
  // The header is the client's: what is no host is not repeated.
  const used = host !== undefined && HOST.test(host) ? host : `127.0.0.1:${port}`;
  const url = new URL(auth.origin ?? `${tls ? "https" : "http"}://${used}`);
  return { origin: url.origin, grpc: `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}` };
}

const HOST = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

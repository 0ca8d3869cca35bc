import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type AgentCard, AgentCardSchema, type AgentSkillSchema } from "@frontdesk/protos/a2a/a2a";
import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Example } from "@frontdesk/protos/ces/example";
import type { SnapshotRef } from "#session";
import type { A2aAgent, CardSecurity } from "../contract.ts";
import { INPUT_MODES } from "../messages/check-message.ts";
import { VARIABLES_EXTENSION } from "../messages/variables-extension.ts";

/** Where clients reach this server. */
export interface PublicAddress {
  /** `https://host[:port]`. */
  readonly origin: string;
  /** `host:port`, as gRPC clients want it. */
  readonly grpc: string;
}

interface CardOptions {
  readonly agent: A2aAgent;
  readonly snapshot: SnapshotRef;
  readonly address: PublicAddress;
  readonly security: CardSecurity;
  /** Whether the caller may see how the app is divided into agents. */
  readonly extended: boolean;
}

interface SignInCardOptions extends Pick<CardOptions, "address" | "security"> {
  readonly tenant: string;
}

/** What an agent can answer with. */
const OUTPUT_MODES = ["text/plain", "application/json"];
/** Most examples of a skill. */
const MAX_EXAMPLES = 5;

/**
 * The card of an app, a version or a deployment (A2A-2). The public card tells what the app tells everybody: its name, its description and its
 * root agent as one skill. The extended card has a skill for each agent.
 */
export function agentCard({ agent, snapshot, address, security, extended }: CardOptions): AgentCard {
  const { app } = snapshot.snapshot;
  if (!app) throw new Error(`the snapshot of ${agent.app} is empty`);
  return create(AgentCardSchema, {
    name: app.displayName || agent.app,
    description: descriptionOf(app, snapshot.snapshot),
    version: versionOf(snapshot, app),
    skills: skillsOf(app, snapshot.snapshot, extended),
    ...accessOf(agent.tenant, address, security),
  });
}

/**
 * The card for readers who may not call an agent (A2A-19): how to sign in, and nothing that depends on the agent, which may not exist.
 * `tenant`: the name that the reader asked for.
 */
export function signInCard({ tenant, address, security }: SignInCardOptions): AgentCard {
  return create(AgentCardSchema, {
    name: "Agent",
    description:
      "Sign in in one of the ways of this card, then read the card again: it is shown to those who may call this agent.",
    version: "0",
    ...accessOf(tenant, address, security),
  });
}

/** What the cards of all agents of this server say: where they are, what the protocol can do here, how callers sign in. */
function accessOf(tenant: string, address: PublicAddress, security: CardSecurity) {
  return {
    supportedInterfaces: interfacesOf(tenant, address),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [
        {
          uri: VARIABLES_EXTENSION,
          description: "The variables that the agents set in a task, as metadata of the task.",
          required: false,
        },
      ],
    },
    securitySchemes: { ...security.schemes },
    securityRequirements: [...security.requirements],
    defaultInputModes: [...INPUT_MODES],
    defaultOutputModes: OUTPUT_MODES,
  };
}

/** The protocol's bindings, the preferred first, then version 0.3 for clients that know no other (A2A-3). */
function interfacesOf(tenant: string, { origin, grpc }: PublicAddress) {
  const url = tenant === "" ? `${origin}/a2a` : `${origin}/a2a/${tenant}`;
  return [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: grpc, protocolBinding: "GRPC", protocolVersion: "1.0", tenant },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ];
}

function descriptionOf(app: App, { agents }: AppSnapshot): string {
  const root = agents.find(({ name }) => name === app.rootAgent);
  return app.description || root?.description || `The agent '${app.displayName || app.name}'.`;
}

/** The name of the version, else a word for what is still being edited. */
function versionOf({ appVersion }: SnapshotRef, { etag }: App): string {
  if (appVersion !== "") return appVersion.slice(appVersion.lastIndexOf("/") + 1);
  return etag === "" ? "draft" : `draft-${etag.replace(/[^\w-]/g, "")}`;
}

function skillsOf(app: App, snapshot: AppSnapshot, extended: boolean): MessageInitShape<typeof AgentSkillSchema>[] {
  const { agents, examples } = snapshot;
  const root = agents.find(({ name }) => name === app.rootAgent);
  const shown = extended ? [...(root ? [root] : []), ...agents.filter((each) => each !== root)] : root ? [root] : [];
  if (shown.length === 0) {
    const name = app.displayName || "chat";
    return [{ id: "chat", name, description: descriptionOf(app, snapshot), tags: ["conversation"] }];
  }
  return shown.map((each) => skillOf(each, app, snapshot, extended ? examples : []));
}

function skillOf(
  agent: Agent,
  app: App,
  snapshot: AppSnapshot,
  examples: readonly Example[],
): MessageInitShape<typeof AgentSkillSchema> {
  return {
    id: agent.name.slice(agent.name.lastIndexOf("/") + 1),
    name: agent.displayName,
    description: agent.description || (agent.name === app.rootAgent ? descriptionOf(app, snapshot) : agent.displayName),
    tags: ["conversation"],
    examples: examples.flatMap((example) => openingOf(example, agent, app)).slice(0, MAX_EXAMPLES),
  };
}

/** What a user says first in an example of an agent. */
function openingOf({ entryAgent, messages }: Example, { name }: Agent, { rootAgent }: App): readonly string[] {
  if ((entryAgent || rootAgent) !== name) return [];
  const first = messages.find(({ role }) => role === "user");
  const text = first?.chunks.flatMap(({ data }) => (data.case === "text" ? [data.value] : [])).join(" ");
  return text ? [text] : [];
}

import { formatName, hasWildcard, matchName, type NamePattern, parseNamePattern } from "#aip";
import type { Ids } from "#base";
import { type FieldViolation, invalidArgument } from "#status";

/** Resource types of the Conversational Analytics API, as errors name them. */
export const DATA_AGENT_TYPE = "geminidataanalytics.googleapis.com/DataAgent";
export const DATA_CONVERSATION_TYPE = "geminidataanalytics.googleapis.com/Conversation";

const LOCATION = parseNamePattern("projects/{project}/locations/{location}");
const AGENT = parseNamePattern("projects/{project}/locations/{location}/dataAgents/{data_agent}");
const CONVERSATION = parseNamePattern("projects/{project}/locations/{location}/conversations/{conversation}");

/** Longer than the documented form in one way: the vendor's own samples use underscores and capitals (CA-1). */
const ID = /^[a-zA-Z0-9_-]{1,63}$/;

/** Name of a new agent below a location. Throws INVALID_ARGUMENT for a wrong parent or id. */
export function newAgentName(parent: string, id: string): string {
  return newName(AGENT, "data_agent", parent, "data_agent_id", id);
}

/** Name of a new conversation below a location. Throws INVALID_ARGUMENT for a wrong parent or id. */
export function newConversationName(parent: string, id: string): string {
  return newName(CONVERSATION, "conversation", parent, "conversation_id", id);
}

/** Throws INVALID_ARGUMENT unless the name is that of an agent. */
export function checkAgentName(name: string, field: string): void {
  checkName(AGENT, name, field);
}

/** Throws INVALID_ARGUMENT unless the name is that of a conversation. */
export function checkConversationName(name: string, field: string): void {
  checkName(CONVERSATION, name, field);
}

/** Throws INVALID_ARGUMENT unless the name is that of a location; lists may have `-` in it (AIP-159). */
export function checkLocation(parent: string, { wildcards }: { readonly wildcards: boolean }): void {
  if (matchName(LOCATION, parent) && (wildcards || !hasWildcard(parent))) return;
  throw invalidArgument({ field: "parent", description: `'${parent}' is not of the form ${LOCATION.text}.` });
}

/** How the names of one kind of resource below an agent are made and read. */
interface NamesBelowAgent {
  /** Name of a new one. Throws INVALID_ARGUMENT for a wrong parent. */
  make(agent: string, ids: Ids): string;
  /** Throws INVALID_ARGUMENT unless the name is one of these. */
  check(name: string, field: string): void;
  agentOf(name: string): string;
}

/** `variable`: what stands for their ids in the pattern of the API. */
export function namesBelowAgent(collection: string, variable: string): NamesBelowAgent {
  const pattern = parseNamePattern(`${AGENT.text}/${collection}/{${variable}}`);
  return {
    make(agent, ids) {
      checkAgentName(agent, "parent");
      return formatName(pattern, { ...matchName(AGENT, agent), [variable]: ids.uuid() });
    },
    check: (name, field) => checkName(pattern, name, field),
    agentOf: (name) => name.slice(0, name.indexOf(`/${collection}/`)),
  };
}

function checkName(pattern: NamePattern, name: string, field: string): void {
  if (matchName(pattern, name) && !hasWildcard(name)) return;
  throw invalidArgument({ field, description: `'${name}' is not of the form ${pattern.text}.` });
}

function newName(pattern: NamePattern, variable: string, parent: string, field: string, id: string): string {
  checkLocation(parent, { wildcards: false });
  const violations = ID.test(id) ? [] : [idViolation(field, id)];
  if (violations.length > 0) throw invalidArgument(violations);
  return formatName(pattern, { ...matchName(LOCATION, parent), [variable]: id });
}

function idViolation(field: string, id: string): FieldViolation {
  return { field, description: `'${id}' is not a valid id: use 1 to 63 letters, digits, hyphens or underscores.` };
}

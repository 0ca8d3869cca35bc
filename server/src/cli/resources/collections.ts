import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { classifyMethod, type NamePattern, resourceTypeOf, type StandardMethod } from "#aip";

/** A standard method with what calls it. */
export interface CollectionMethod<Kind extends StandardMethod["kind"] = StandardMethod["kind"]> {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly roles: Extract<StandardMethod, { kind: Kind }>;
}

/** A collection of resources, and the standard methods that the API has for it. */
export interface Collection {
  /** The pattern of a resource's name. */
  readonly pattern: NamePattern;
  readonly methods: { readonly [Kind in StandardMethod["kind"]]?: CollectionMethod<Kind> };
}

const SERVICES: readonly DescService[] = [AgentService, EvaluationService, DataAgentService, DataChatService];

/** All collections by the word that names them in a command: `data-agents` for `dataAgents`. */
export function collections(): ReadonlyMap<string, Collection> {
  const found = new Map<string, Collection>();
  for (const service of SERVICES)
    for (const method of service.methods) {
      const roles = classifyMethod(method);
      const type = roles && resourceTypeOf(roles.resource);
      if (!roles || !type) continue;
      const [pattern] = type.patterns;
      const word = wordOf(pattern, type.type);
      const before = found.get(word)?.methods ?? {};
      found.set(word, { pattern, methods: { ...before, [roles.kind]: { service, method, roles } } });
    }
  return found;
}

/**
 * The last literal segment of the pattern; below another resource than an app, with that one's name before it. What belongs to questions to
 * data begins with `data-`: both APIs have conversations.
 */
function wordOf({ text }: NamePattern, type: string): string {
  const literals = text.split("/").filter((segment) => !segment.startsWith("{"));
  const last = literals.at(-1) ?? "";
  const owner = literals.at(-2) ?? "";
  const qualified = /^(projects|locations|apps)$/.test(owner) ? last : `${owner.replace(/s$/, "")}-${last}`;
  const word = qualified.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return type.startsWith("geminidataanalytics.") && !word.startsWith("data-") ? `data-${word}` : word;
}

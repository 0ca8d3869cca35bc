import type { DescMethod } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { classifyMethod, resourceTypeOf } from "#aip";
import type { MethodRule } from "../contract.ts";
import { CUSTOM_RULES } from "./custom-rules.ts";
import { nameReader, resourceField } from "./name-reader.ts";

/** Returns what methods ask for. The rule of a method is derived once. */
export function createMethodRules(): (method: DescMethod) => MethodRule | undefined {
  const known = new Map<DescMethod, MethodRule | null>();
  return (method) => {
    let rule = known.get(method);
    if (rule === undefined) {
      rule = deriveRule(method) ?? null;
      known.set(method, rule);
    }
    return rule ?? undefined;
  };
}

function deriveRule(method: DescMethod): MethodRule | undefined {
  const custom = CUSTOM_RULES[`${method.parent.typeName}.${method.name}`];
  return custom ? custom(method) : standardRule(method);
}

/**
 * Services whose lists show what the caller may see. A list of another service is for those who have its permission on the parent, because its
 * handler shows all.
 */
const SHOWING: ReadonlySet<string> = new Set(
  [AgentService, EvaluationService, DataAgentService].map(({ typeName }) => typeName),
);

/** `ces.agents.get` for GetAgent: the service of the resource type, its plural, and the kind of the method (IAM-5). */
function standardRule(method: DescMethod): MethodRule | undefined {
  const standard = classifyMethod(method);
  const type = standard && resourceTypeOf(standard.resource);
  const field = resourceField(method);
  if (!standard || !type || field === undefined) return undefined;
  const permission = permissionOn(type.type, type.plural, standard.kind);
  const resourceOf = nameReader(method.input, field);
  return {
    kind: standard.kind === "list" && SHOWING.has(method.parent.typeName) ? "list" : "resource",
    permissions: [permission],
    asksOf: (request) => [{ permission, resource: resourceOf(request), field }],
  };
}

/** `ces.agents.get` of `ces.googleapis.com/Agent`, `agents` and `get`. */
export function permissionOn(resourceType: string, plural: string, verb: string): string {
  return `${resourceType.slice(0, resourceType.indexOf("."))}.${plural}.${verb}`;
}

import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { CallContext, RegisteredMethod } from "#rpc";
import type { Access, Decision, MethodRule } from "./contract.ts";
import type { Decisions } from "./decisions.ts";
import { nameReader, resourceField } from "./methods/name-reader.ts";

/** Fields that name the resource of a method without an HTTP rule, in the order in which they are looked for. */
const NAMING_FIELDS = ["name", "parent", "resource"] as const;

/**
 * Returns the resource that a call is about, by its method and request: the first one that its rights are decided on (IAM-19), else the one that
 * the HTTP rule of its method names. Other fields of a request decide nothing, so they name nothing here either; "" for none.
 */
export function createResourceOf(ruleOf: Access["ruleOf"]): Access["resourceOf"] {
  const readers = new Map<DescMethod, (request: Message) => string>();
  const readerOf = (method: DescMethod) => {
    const known = readers.get(method) ?? namedResource(method);
    readers.set(method, known);
    return known;
  };
  return (method, request) => {
    const asked = ruleOf(method)
      ?.asksOf(request)
      .find(({ resource }) => resource !== "");
    return asked?.resource ?? readerOf(method)(request);
  };
}

function namedResource(method: DescMethod): (request: Message) => string {
  const { input } = method;
  const field = resourceField(method) ?? NAMING_FIELDS.find((name) => input.fields.some((one) => one.name === name));
  return field === undefined ? () => "" : nameReader(input, field);
}

interface CountedResourceDeps extends Pick<Decisions, "may"> {
  readonly ruleOf: Access["ruleOf"];
  readonly resourceOf: Access["resourceOf"];
  readonly isExempt: (method: RegisteredMethod, context: CallContext) => boolean;
}

/**
 * The same for counts of what an app or a project uses: "" where the caller has no right on the resource, so that nobody uses up what others may
 * have (IAM-20). Called after the check of rights.
 */
export function createCountedResource({
  ruleOf,
  resourceOf,
  isExempt,
  may,
}: CountedResourceDeps): Access["countedResource"] {
  return async (method, request, context) => {
    const { internalMethod } = method;
    const resource = resourceOf(internalMethod, request);
    const rule = ruleOf(internalMethod);
    if (resource === "" || context.caller.kind === "operator") return resource;
    if (rule && wasDecided(rule, request) && !isExempt(method, context)) return resource;
    for (const permission of rule?.permissions ?? [])
      if (await holds(may(context, permission, resource))) return resource;
    return "";
  };
}

/** Whether the check of rights asked for a permission on what the request names, before its handler is called. */
function wasDecided({ asksOf }: MethodRule, request: Message): boolean {
  return asksOf(request).length > 0;
}

async function holds(decision: Decision): Promise<boolean> {
  return decision;
}

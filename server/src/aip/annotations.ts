import { type DescField, type DescMessage, type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "@frontdesk/protos/google/api/annotations";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import type { HttpRule } from "@frontdesk/protos/google/api/http";
import { resource, resource_reference } from "@frontdesk/protos/google/api/resource";
import { type NamePattern, parseNamePattern } from "./resource-name.ts";

export { FieldBehavior };

/** The `google.api.resource` annotation of a message (AIP-123). */
export interface ResourceType {
  /** E.g. `ces.googleapis.com/Agent`. */
  readonly type: string;
  readonly patterns: readonly [NamePattern, ...NamePattern[]];
  /** E.g. `agent`; the AIP-133 id field is `{singular}_id`. */
  readonly singular: string;
  readonly plural: string;
}

/** The `google.api.resource_reference` annotation of a string field: the type that it names, or the type whose parent it names. */
interface ResourceReference {
  readonly type: string;
  readonly childType: string;
}

// Options are stored as unknown fields and decoded at every read, hence these caches. Descriptors live as long as the process.
const resourceTypes = new WeakMap<DescMessage, ResourceType | null>();
const references = new WeakMap<DescField, ResourceReference | null>();
const behaviors = new WeakMap<DescField, ReadonlySet<FieldBehavior>>();
const rules = new WeakMap<DescMethod, HttpRule | null>();

/** The resource annotation of a message; undefined when it is not a resource. */
export function resourceTypeOf(message: DescMessage): ResourceType | undefined {
  return cached(resourceTypes, message, () => {
    if (!hasOption(message, resource)) return null;
    const { type, pattern, singular, plural } = getOption(message, resource);
    const [first, ...others] = pattern.map(parseNamePattern);
    return first ? { type, patterns: [first, ...others], singular, plural } : null;
  });
}

/** The resource reference of a field; undefined when it has none. */
export function referenceOf(field: DescField): ResourceReference | undefined {
  return cached(references, field, () => {
    if (!hasOption(field, resource_reference)) return null;
    const { type, childType } = getOption(field, resource_reference);
    return { type, childType };
  });
}

/** The behaviours of a field (AIP-203). */
export function behaviorsOf(field: DescField): ReadonlySet<FieldBehavior> {
  let found = behaviors.get(field);
  if (!found) {
    found = new Set(hasOption(field, field_behavior) ? getOption(field, field_behavior) : []);
    behaviors.set(field, found);
  }
  return found;
}

/** The `google.api.http` rule of a method; undefined when it has none. */
export function httpRuleOf(method: DescMethod): HttpRule | undefined {
  return cached(rules, method, () => (hasOption(method, http) ? getOption(method, http) : null));
}

function cached<K extends object, V>(cache: WeakMap<K, V | null>, key: K, compute: () => V | null): V | undefined {
  let found = cache.get(key);
  if (found === undefined) {
    found = compute();
    cache.set(key, found);
  }
  return found ?? undefined;
}

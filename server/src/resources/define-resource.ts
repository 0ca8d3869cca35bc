import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { type ResourceType, resourceTypeOf } from "#aip";
import type { FieldViolation } from "#status";
import type { AppState } from "./app-state.ts";
import type { PythonChecks } from "./python/python-checks.ts";
import type { ReadContext } from "./read/read-context.ts";
import type { Resource } from "./resource.ts";

/** How lists of a resource are ordered when the request does not say, and by what else than `name`, `create_time`, `update_time`. */
export interface ListOrder {
  /** Fields that `order_by` accepts. Default name and create_time. */
  readonly fields: readonly string[];
  /** Those that run backwards when no direction is written. */
  readonly descendingByDefault: readonly string[];
  /** The `order_by` of a request without one. */
  readonly fallback: string;
  /** Keys of fields that are not columns of the store. */
  readonly keys?: Readonly<
    Record<string, (resources: readonly Resource[], context: ReadContext) => Promise<readonly (string | number)[]>>
  >;
}

/** What annotations cannot say of a resource. Every part is optional; messages handed in must not be changed. */
export interface ResourceRules<M extends Message> {
  /** No two in one app have the same non-empty display name. Default false. */
  readonly uniqueDisplayName?: boolean;
  /** Rewrites what a client sent to its one stored form, before anything is checked. */
  readonly normalize?: (resource: M, app: string) => M;
  /** Computes output-only fields from the resource alone, when it was written. */
  readonly deriveOwn?: (resource: M, python: PythonChecks) => Promise<M>;
  /** Computes what a new resource takes over from the app as it is. `author` is who asks, "" when unknown. */
  readonly onCreate?: (resource: M, state: AppState, author: string) => M;
  /** Why the resource must be refused, seen among the others of its app. Field paths are relative to the resource. */
  readonly validate?: (resource: M, state: AppState) => readonly FieldViolation[];
  /** Recomputes output-only fields that depend on others, after any change in the app. */
  readonly deriveFromState?: (resource: M, state: AppState, python: PythonChecks) => Promise<M>;
  /** References inside recorded messages stay when what they name is deleted; the output-only `invalid` then tells. Default false. */
  readonly keepsRecordedReferences?: boolean;
  /** Resource types whose deletion a reference from here does not hold up. Default none. */
  readonly yieldsTo?: readonly string[];
  /** Names of resources that go with this one when it is deleted; one that ends in `/` stands for all below. */
  readonly cascade?: (resource: M) => readonly string[];
  /** Fills in, for answers only, what is kept elsewhere. */
  readonly present?: (resources: readonly M[], context: ReadContext, request: Message) => Promise<readonly M[]>;
  /** Resources that exist without being stored, for one parent. */
  readonly virtual?: (parent: string) => readonly M[];
  readonly order?: ListOrder;
  /** Documented filter names that differ from the fields'. */
  readonly filterAliases?: Readonly<Record<string, string>>;
}

/** A resource type of this server, with its rules over plain messages. */
export interface ResourceDefinition {
  readonly desc: DescMessage;
  readonly type: ResourceType;
  /** `app` resources make up an app's state and are held together; `log` ones only live below an app; `location` ones are outside. */
  readonly scope: "app" | "log" | "location";
  readonly rules: ResourceRules<Resource>;
}

/** Defines a resource from its annotated message and what the annotations cannot say. */
export function defineResource<D extends DescMessage>(
  desc: D,
  scope: ResourceDefinition["scope"],
  rules: ResourceRules<MessageShape<D>> = {},
): ResourceDefinition {
  const type = resourceTypeOf(desc);
  if (!type) throw new Error(`${desc.typeName} has no google.api.resource annotation`);
  // The rules only ever get messages of this very descriptor: stores and requests are keyed by it.
  return { desc, type, scope, rules: rules as unknown as ResourceRules<Resource> };
}

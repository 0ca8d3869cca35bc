import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import { type ResourceType, resourceTypeOf } from "#aip";
import type { FieldViolation } from "#status";
import type { ResourceStore } from "#storage";
import type { PythonChecks } from "./python/python-checks.ts";
import type { Resource } from "./resource.ts";

/** The resources of one app, as the rules of a resource read them. Messages must not be changed. */
export interface AppView {
  /** App resource name. */
  readonly name: string;
  /** The app's own message; undefined before it is created. */
  readonly app: App | undefined;
  /** All resources of a type, by name. */
  list<D extends DescMessage>(desc: D): readonly MessageShape<D>[];
  /** The resource of a name when it is of this type. */
  find<D extends DescMessage>(desc: D, name: string): MessageShape<D> | undefined;
  /** The first resource of a type, by name, with this display name. */
  findByDisplayName<D extends DescMessage>(desc: D, displayName: string): MessageShape<D> | undefined;
  /** Whether the app has a resource of this name. */
  has(name: string): boolean;
}

/** The default order of a resource's lists, and the fields that they can be ordered by. */
export interface ListOrder {
  /** Fields that `order_by` accepts. Default name and create_time. */
  readonly fields: readonly string[];
  /** Fields that are descending when no direction is given. */
  readonly descendingByDefault: readonly string[];
  /** The `order_by` of a request without one. */
  readonly fallback: string;
  /** Sort keys of fields that are not columns of the store. */
  readonly keys?: Readonly<
    Record<string, (resources: readonly Resource[], context: ReadContext) => Promise<readonly (string | number)[]>>
  >;
}

/** The rules of a resource beyond its annotations. All are optional; message arguments must not be changed. */
interface ResourceRules<M extends Message> {
  /** No two in one app have the same non-empty display name. Default false. */
  readonly uniqueDisplayName?: boolean;
  /** The stored form of a client's resource, before anything is checked. */
  readonly normalize?: (resource: M, app: string) => M;
  /** Computes output-only fields from the resource alone, when it is written. */
  readonly deriveOwn?: (resource: M, python: PythonChecks) => Promise<M>;
  /** Sets fields of a new resource from the app. `author` is the caller, "" when unknown. */
  readonly onCreate?: (resource: M, state: AppView, author: string) => M;
  /** The violations of a resource in its app. Field paths are relative to the resource. */
  readonly validate?: (resource: M, state: AppView) => readonly FieldViolation[];
  /** Recomputes output-only fields that depend on others, after any change in the app (but see `derivesFrom`). */
  readonly deriveFromState?: (resource: M, state: AppView, python: PythonChecks) => Promise<M>;
  /** `references`: what `deriveFromState` reads of the app is of types that the message can refer to, so that it is only called when one of these changes. Default `all`. */
  readonly derivesFrom?: "references" | "all";
  /** References in recorded messages stay when their resource is deleted, and the output-only field `invalid` is set. Default false. */
  readonly keepsRecordedReferences?: boolean;
  /** Resource types that can be deleted although this resource refers to them. Default none. */
  readonly allowsDeletionOf?: readonly string[];
  /** Names of resources that are deleted with this one; a name that ends in `/` means all below it. */
  readonly cascade?: (resource: M) => readonly string[];
  /** Sets fields of responses that are stored elsewhere. */
  readonly present?: (resources: readonly M[], context: ReadContext, request: Message) => Promise<readonly M[]>;
  /** Resources of a parent that exist without being stored. */
  readonly virtual?: (parent: string) => readonly M[];
  readonly order?: ListOrder;
  /**
   * Fields that a filter may compare with a name, and the names of all resources that can have that value, so that no other is read. Undefined: any can.
   */
  readonly filterNames?: Readonly<
    Record<string, (value: string, context: ReadContext) => Promise<readonly string[] | undefined>>
  >;
  /** Documented names of filters that differ from the field names. */
  readonly filterAliases?: Readonly<Record<string, string>>;
}

/** A resource type of this server, with its rules over plain messages. */
export interface ResourceDefinition {
  readonly desc: DescMessage;
  readonly type: ResourceType;
  /** `app` resources make up an app's state and are cached together; `log` ones are below an app, but not in its state; `location` ones are outside apps. */
  readonly scope: "app" | "log" | "location";
  readonly rules: ResourceRules<Resource>;
}

/** Defines a resource by its annotated message and its rules. */
export function defineResource<D extends DescMessage>(
  desc: D,
  scope: ResourceDefinition["scope"],
  rules: ResourceRules<MessageShape<D>> = {},
): ResourceDefinition {
  const type = resourceTypeOf(desc);
  if (!type) throw new Error(`${desc.typeName} has no google.api.resource annotation`);
  // The rules are only called with messages of this descriptor: stores and requests are keyed by it.
  return { desc, type, scope, rules: rules as unknown as ResourceRules<Resource> };
}

/** What reading resources needs. */
export interface ReadContext {
  readonly store: ResourceStore;
}

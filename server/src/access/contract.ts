import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";

/** Who asks, and from where. */
export type Asker = Pick<CallContext, "caller" | "peer">;

/** An answer that is there at once, except where a condition reads labels, which are stored with the resource. */
export type Decision = boolean | Promise<boolean>;

/** A permission that is asked for on a resource. */
export interface Ask {
  /** E.g. `ces.apps.get`. */
  readonly permission: string;
  /** Resource name; "" for the server itself. */
  readonly resource: string;
  /** Field of the request with the name. */
  readonly field: string;
}

/** What a method asks for. */
export interface MethodRule {
  /**
   * - `resource`: the permissions on the resources that the request names.
   * - `list`: one of the permissions on a parent, or on something below it; the handler lists what the caller may see (`Access.shown`).
   * - `operation`: the permission on what a long-running operation is about; `Ask.resource` is the operation, `Ask.permission` without its service.
   * - `handler`: one of the permissions somewhere; the handler decides by what is stored.
   * - `known`: nothing but a credential.
   * - `anybody`: nothing; the handler decides.
   */
  readonly kind: "resource" | "list" | "operation" | "handler" | "known" | "anybody";
  /** Every permission that calls can come to, in full. */
  readonly permissions: readonly string[];
  /** What one request asks for: all of it is needed, of a list one. */
  readonly asksOf: (request: Message) => readonly Ask[];
}

/** Calls of which services are refused to callers without permission: of none, of the Conversational Analytics API, or of all. */
export type AccessMode = "open" | "data" | "all";

/** Whether a list shows the resource of a name. */
export type ShownResources = (name: string) => Decision;

/** Decides who may do what. */
export interface Access {
  readonly mode: AccessMode;
  /** Whether the caller has a permission on a resource. */
  may(asker: Asker, permission: string, resource: string): Decision;
  /** Throws UNAUTHENTICATED for anonymous callers and PERMISSION_DENIED for others, in the same words whether the resource exists or not. */
  require(asker: Asker, permission: string, resource: string): Promise<void>;
  /** Whether the caller may call a method on some resource. */
  mayCall(asker: Asker, method: RegisteredMethod): boolean;
  /** Which resources below a parent a list shows; undefined: all. */
  shown(asker: Asker, permission: string, parent: string): ShownResources | undefined;
  /** The same for a request of a standard list method; undefined for all other methods. */
  shownBy(asker: Asker, method: DescMethod, request: Message): ShownResources | undefined;
  /** The resource that a call of a method of the internal revision is about, as its rights are decided (IAM-19); "" for none. For records of calls. */
  resourceOf(method: DescMethod, request: Message): string;
  /** The same for what apps and projects may use: "" where the caller has no right on it (IAM-20). */
  countedResource(method: RegisteredMethod, request: Message, context: CallContext): Promise<string>;
  /** What a method of the internal revision asks for; undefined for one that is not in the table, which only the operator may call. */
  ruleOf(method: DescMethod): MethodRule | undefined;
  /** Refuses calls of callers without the permission of their method. Runs after requests are translated to the internal revision. */
  readonly authorize: Interceptor;
}

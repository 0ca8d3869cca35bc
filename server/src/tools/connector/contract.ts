import type { ConnectorTool } from "@frontdesk/protos/ces/connector_tool";
import type { JsonObject, JsonValue } from "#base";
import type { OutboundContext, OutboundRoute } from "#outbound";

/** One action of a connection, or one operation on its entities. */
export type ConnectorAction = NonNullable<ConnectorTool["action"]>;

/** The five things that can be done with entities of a connection (connector_tool.proto). */
export type EntityVerb = "list" | "get" | "create" | "update" | "delete";

/** What is to be done, parsed. */
export type ActionSpec =
  | { readonly kind: "action"; readonly id: string }
  | { readonly kind: "entity"; readonly entity: string; readonly verb: EntityVerb };

/** How a step is described to a model. */
export interface ActionDescription {
  /** "" when nothing is known. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
  /** JSON Schema of what the step gives back; absent when nothing is known of it. */
  readonly response?: JsonObject;
}

/** An entity: a row of what the connection leads to. */
export interface EntityType {
  readonly fields: readonly EntityField[];
}

export interface EntityField {
  readonly name: string;
  readonly schema: JsonObject;
  /** Whether it identifies a row. */
  readonly key: boolean;
  /** Whether a new row has to have it. */
  readonly required: boolean;
}

/** Who asks, and how long it may take. */
export interface ConnectionCall {
  readonly context: OutboundContext;
  readonly timeoutMs: number;
  readonly endUserAuth?: OutboundRoute["endUserAuth"];
}

/** A connection to another system: Google's Integration Connectors, or plain HTTP as the operator configured it. */
export interface Connection {
  /** An action's description. Rejects with `ConnectorError`. */
  action(id: string, call: ConnectionCall): Promise<ActionDescription>;
  entityType(id: string, call: ConnectionCall): Promise<EntityType>;
  /** Runs an action and answers its results. Rejects with `ConnectorError`. */
  execute(action: string, parameters: JsonObject, call: ConnectionCall): Promise<readonly JsonValue[]>;
  list(entity: string, query: EntityQuery, call: ConnectionCall): Promise<EntityPage>;
  get(entity: string, id: string, call: ConnectionCall): Promise<JsonObject>;
  create(entity: string, fields: JsonObject, call: ConnectionCall): Promise<JsonObject>;
  update(entity: string, id: string, fields: JsonObject, call: ConnectionCall): Promise<JsonObject>;
  delete(entity: string, id: string, call: ConnectionCall): Promise<void>;
}

export interface EntityQuery {
  /** Fields that rows must have these values in. */
  readonly equal: JsonObject;
  /** In the words of the system behind the connection; "" = none. */
  readonly conditions: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly sortBy?: string;
}

export interface EntityPage {
  readonly entities: readonly JsonObject[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

/** Why a connection did not do what it was asked, in words for a model. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
}

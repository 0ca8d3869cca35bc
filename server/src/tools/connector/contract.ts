import type { ConnectorTool } from "@frontdesk/protos/ces/connector_tool";
import type { JsonObject, JsonValue } from "#base";
import type { OutboundContext, OutboundRoute } from "#outbound";

/** One action of a connection, or one operation on its entities. */
export type ConnectorAction = NonNullable<ConnectorTool["action"]>;

/** The operations on entities of a connection (connector_tool.proto). */
export type EntityVerb = "list" | "get" | "create" | "update" | "delete";

/** A parsed `action_spec`. */
export type ActionSpec =
  | { readonly kind: "action"; readonly id: string }
  | { readonly kind: "entity"; readonly entity: string; readonly verb: EntityVerb };

/** Description and schemas of an action for the function declaration. */
export interface ActionDescription {
  /** "" = unknown. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
  /** JSON Schema of the result; absent when unknown. */
  readonly response?: JsonObject;
}

/** The fields of an entity. */
export interface EntityType {
  readonly fields: readonly EntityField[];
}

/** A field of the rows of an entity. */
export interface EntityField {
  readonly name: string;
  readonly schema: JsonObject;
  /** Whether the field identifies a row. */
  readonly key: boolean;
  /** Whether a new row needs the field. */
  readonly required: boolean;
}

/** Context and timeout of a call. */
export interface ConnectionCall {
  readonly context: OutboundContext;
  readonly timeoutMs: number;
  readonly endUserAuth?: OutboundRoute["endUserAuth"];
}

/** A connection to another system: through Google's Integration Connectors, or over HTTP as the operator configured it. */
export interface Connection {
  /** Describes an action. This and all other methods reject with `ConnectorError`. */
  action(id: string, call: ConnectionCall): Promise<ActionDescription>;
  entityType(id: string, call: ConnectionCall): Promise<EntityType>;
  /** Runs an action and returns its results. */
  execute(action: string, parameters: JsonObject, call: ConnectionCall): Promise<readonly JsonValue[]>;
  list(entity: string, query: EntityQuery, call: ConnectionCall): Promise<EntityPage>;
  get(entity: string, id: string, call: ConnectionCall): Promise<JsonObject>;
  create(entity: string, fields: JsonObject, call: ConnectionCall): Promise<JsonObject>;
  update(entity: string, id: string, fields: JsonObject, call: ConnectionCall): Promise<JsonObject>;
  delete(entity: string, id: string, call: ConnectionCall): Promise<void>;
}

/** Which rows of an entity to list. */
export interface EntityQuery {
  /** Values that fields of the rows must have. */
  readonly equal: JsonObject;
  /** A condition in the syntax of the other system; "" = none. */
  readonly conditions: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly sortBy?: string;
}

interface EntityPage {
  readonly entities: readonly JsonObject[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

/** Why a call of a connection failed. The message may be shown to a model. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
}

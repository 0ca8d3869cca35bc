import type { ApiAuthentication } from "@frontdesk/protos/ces/auth";
import type { JsonObject } from "#base";
import type { EntityVerb } from "./contract.ts";

/** What the operator says about connections. */
export interface ConnectorsConfig {
  /** Google's Integration Connectors. Absent: connections that are not configured here cannot be used. */
  readonly google?: GoogleConnectors;
  /** Connections that are plain HTTP, by resource name (`projects/p/locations/l/connections/c`). */
  readonly http: ReadonlyMap<string, HttpConnectionConfig>;
}

export interface GoogleConnectors {
  /** Default `https://connectors.googleapis.com`. */
  readonly endpoint?: string;
  readonly accessToken: () => Promise<string>;
  /** Projects whose connections apps may name. Default any. */
  readonly projects?: readonly string[];
  /**
   * Header that carries an end user's credentials. Default: they cannot be sent. Which one the service reads is not public, and one that it does not
   * read would let the call through with the connection's own rights.
   */
  readonly endUserHeader?: string;
}

/** A system behind plain HTTP, and what can be done with it. */
export interface HttpConnectionConfig {
  /** What the paths of actions and entities are added to. */
  readonly baseUrl: string;
  readonly authentication?: ApiAuthentication;
  readonly actions: Readonly<Record<string, HttpAction>>;
  readonly entities: Readonly<Record<string, HttpEntity>>;
}

/** An action as one request. Arguments fill the `{names}` of the path; the others go into the query of a GET or DELETE, else into a JSON body. */
export interface HttpAction {
  readonly description: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  readonly output?: JsonObject;
}

/** Rows as resources: `path` lists and creates, `path/{id}` gets, updates and deletes. */
export interface HttpEntity {
  readonly path: string;
  /** The field that identifies a row. */
  readonly key: string;
  /** JSON Schema of a row. */
  readonly schema: JsonObject;
  /** Where in the answer of a list the rows are. Default: the answer is the list. */
  readonly rows?: string;
  /** What may be done. Default: everything. */
  readonly operations?: readonly EntityVerb[];
}

/** No connection can be used. */
export const NO_CONNECTORS: ConnectorsConfig = { http: new Map() };

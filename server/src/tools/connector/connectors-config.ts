import type { ApiAuthentication } from "@frontdesk/protos/ces/auth";
import type { JsonObject } from "#base";
import type { EntityVerb } from "./contract.ts";

/** The operator's configuration of connections. */
export interface ConnectorsConfig {
  /** Google's Integration Connectors. Absent: only connections in `http` can be used. */
  readonly google?: GoogleConnectors;
  /** Connections that are plain HTTP, by resource name (`projects/p/locations/l/connections/c`). */
  readonly http: ReadonlyMap<string, HttpConnectionConfig>;
}

/** Connections through Integration Connectors. */
export interface GoogleConnectors {
  /** Default `https://connectors.googleapis.com`. */
  readonly endpoint?: string;
  readonly accessToken: () => Promise<string>;
  /** Projects whose connections apps may name. Default any. */
  readonly projects?: readonly string[];
  /** Apps whose tools may use them: resource names, which may end in `*`. Default: all may. */
  readonly apps?: readonly string[];
  /**
   * Header for an end user's credentials. Default: they cannot be sent. Which header the service reads is not public, and with a header
   * that it ignores the call would run with the connection's own rights.
   */
  readonly endUserHeader?: string;
}

/** A system with an HTTP API, its actions and entities. */
export interface HttpConnectionConfig {
  /** Base of the paths of actions and entities. */
  readonly baseUrl: string;
  /** Apps whose tools may use it: resource names, which may end in `*`. Default: all may. */
  readonly apps?: readonly string[];
  readonly authentication?: ApiAuthentication;
  readonly actions: Readonly<Record<string, HttpAction>>;
  readonly entities: Readonly<Record<string, HttpEntity>>;
}

/** An action as one request. Arguments fill the `{names}` of the path; the others become the query of a GET or DELETE, else a JSON body. */
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
  /** Field of the list response that holds the rows. Default: the response is the list. */
  readonly rows?: string;
  /** Allowed operations. Default: all. */
  readonly operations?: readonly EntityVerb[];
}

/** A configuration without connections. */
export const NO_CONNECTORS: ConnectorsConfig = { http: new Map() };

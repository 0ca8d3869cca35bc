import type { JsonObject } from "#base";

export type HttpMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** Where a parameter stands in the request. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

export type ParameterStyle = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** A parameter of an operation, with the defaults of its place. */
export interface OperationParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Media type, when the value is written as a document instead of by a style. */
  readonly contentType: string | undefined;
  /** Inlined: without references. */
  readonly schema: JsonObject;
  /** What the session fills it with, e.g. `$context.session_id`. */
  readonly filledBy: string | undefined;
}

/** The body of a request, in the one media type that is sent. */
export interface OperationBody {
  readonly contentType: string;
  readonly required: boolean;
  /** Inlined: without references, without what is only read. */
  readonly schema: JsonObject;
  /** Of forms: how single fields are written, as in the document. */
  readonly encoding: JsonObject;
  readonly filledBy: string | undefined;
}

/** One operation of a document, ready to be declared and called. */
export interface Operation {
  readonly id: string;
  readonly method: HttpMethod;
  /** With `{placeholders}`. */
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly OperationParameter[];
  readonly body: OperationBody | undefined;
  /** Inlined schema of the answer when all goes well; undefined when the document says nothing of it. */
  readonly response: JsonObject | undefined;
  /** Media types that answers may have, by the document. */
  readonly accepts: readonly string[];
  /** Absolute, or relative to nothing that is known. */
  readonly serverUrl: string;
  /** Names of API keys that the document wants in a cookie. */
  readonly cookieKeys: readonly string[];
}

import { isJsonObject, type JsonObject } from "#base";
import { type InlineBudget, inlineSchema, MOST_SCHEMAS } from "./inline-schema.ts";
import { type ParsedDocument, parseImmediately } from "./parse-document.ts";
import {
  type HttpMethod,
  type Inline,
  type Operation,
  readBody,
  readParameters,
  readSuccessResponse,
  textOf,
} from "./read-operation.ts";
import { createReferences, type References } from "./references.ts";
import { serverUrlOf } from "./server-url.ts";
import { createYamlReader } from "./yaml-reader.ts";

/** A document and its operations, or why it cannot be read. */
export type OpenApiDocument =
  | {
      readonly kind: "document";
      readonly root: Extract<ParsedDocument, { kind: "document" }>["root"];
      readonly operations: readonly ListedOperation[];
    }
  | { readonly kind: "unreadable"; readonly problem: string };

/** The OpenAPI documents of all apps, as they were read. */
export interface OpenApiDocuments {
  /**
   * Reads a document once as long as `owner`, the message that holds its text, lives: messages are never changed. Another message
   * with the same text (a toolset after a change elsewhere in its app) gets what was read for the first, if that lives still.
   */
  read(owner: { readonly openApiSchema: string }): Promise<OpenApiDocument>;
}

/** The last texts that are remembered by themselves. */
const MOST_TEXTS = 16;

/** Creates the memory; nothing is read before it is asked for. */
export function createOpenApiDocuments(): OpenApiDocuments {
  const readLong = createYamlReader();
  const byOwner = new WeakMap<object, Promise<OpenApiDocument>>();
  /** The latest last. */
  const byText = new Map<string, WeakRef<Promise<OpenApiDocument>>>();
  return {
    read: (owner) => {
      const { openApiSchema: text } = owner;
      const made = byOwner.get(owner) ?? byText.get(text)?.deref() ?? read(text);
      byOwner.set(owner, made);
      byText.delete(text);
      byText.set(text, new WeakRef(made));
      for (const oldest of byText.keys()) if (byText.size > MOST_TEXTS) byText.delete(oldest);
      return made;
    },
  };

  async function read(text: string): Promise<OpenApiDocument> {
    const document = parseImmediately(text) ?? (await readLong(text));
    if (document.kind === "unreadable") return document;
    return { ...document, operations: listOperations(document.root) };
  }
}

/** An operation as it stands in a document, before anything in it is looked at. */
export interface ListedOperation {
  /** `operationId`; "" when it has none. */
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly description: string;
  /** All that declaring and calling it takes; worked out when it is asked for the first time. */
  readonly read: () => Operation;
}

const METHODS: readonly HttpMethod[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Operations of one document that are looked at. */
export const MOST_OPERATIONS = 1_000;

/** Schemas unfolded for all operations together. What is read after that gets few: a toolset must not hold up the server. */
const MOST_SCHEMAS_OF_ALL = 100_000;
const LEAST_SCHEMAS = 50;

/** The operations of a document, in its order. */
export function listOperations(root: JsonObject): readonly ListedOperation[] {
  const references = createReferences(root);
  const ofAll = { left: MOST_SCHEMAS_OF_ALL };
  const listed: ListedOperation[] = [];
  for (const [path, value] of Object.entries(isJsonObject(root.paths) ? root.paths : {})) {
    const item = path.startsWith("/") ? references.object(value) : undefined;
    for (const method of item ? METHODS : []) {
      const operation = item && references.object(item[method]);
      if (!operation || listed.length >= MOST_OPERATIONS) continue;
      const id = typeof operation.operationId === "string" ? operation.operationId.trim() : "";
      const description = textOf(operation.description) || textOf(operation.summary);
      listed.push({
        id,
        method,
        path,
        description,
        read: once(() => readOperation(id, method, path, operation, item, root, references, ofAll)),
      });
    }
  }
  return listed;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function readOperation(
  id: string,
  method: HttpMethod,
  path: string,
  operation: JsonObject,
  item: JsonObject,
  root: JsonObject,
  references: References,
  ofAll: InlineBudget,
): Operation {
  const share = Math.min(MOST_SCHEMAS, Math.max(LEAST_SCHEMAS, ofAll.left));
  const budget = { left: share };
  const inline: Inline = (schema, side) => inlineSchema(schema, references, side, budget);
  const parameters = readParameters(operation, item, references, inline);
  const body = readBody(operation, references, inline);
  const answer = readSuccessResponse(operation, references);
  const response = answer.schema === undefined ? undefined : inline(answer.schema, "response");
  ofAll.left -= share - Math.max(0, budget.left);
  return {
    id,
    method,
    path,
    description: textOf(operation.description) || textOf(operation.summary),
    parameters,
    body,
    response,
    accepts: answer.mediaTypes,
    cookieKeys: cookieKeysOf(root, references),
    serverUrl: serverUrlOf([operation.servers, item.servers, root.servers]),
  };
}

/** A key of an app is a header or a query parameter (auth.proto); that it is a cookie only the document can say. */
function cookieKeysOf({ components }: JsonObject, references: References): readonly string[] {
  const schemes =
    isJsonObject(components) && isJsonObject(components.securitySchemes) ? components.securitySchemes : {};
  return Object.values(schemes).flatMap((value) => {
    const scheme = references.object(value);
    return scheme?.type === "apiKey" && scheme.in === "cookie" && typeof scheme.name === "string" ? [scheme.name] : [];
  });
}

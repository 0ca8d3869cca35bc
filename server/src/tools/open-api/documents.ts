import { LRUCache } from "lru-cache";
import { isJsonObject, type JsonObject, once } from "#base";
import { inlineSchema, MAX_SCHEMAS } from "./inline-schema.ts";
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

/** A parsed document and its operations, or why it cannot be read. */
export type OpenApiDocument =
  | {
      readonly kind: "document";
      readonly root: Extract<ParsedDocument, { kind: "document" }>["root"];
      readonly operations: readonly ListedOperation[];
    }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Cache of the parsed OpenAPI documents of all apps. */
export interface OpenApiDocuments {
  /**
   * Parses the document of a message. It is cached as long as the message (`owner`) lives, since messages are immutable. Another message
   * with the same text (a toolset after a change elsewhere in its app) gets the same document while the first message lives.
   */
  read(owner: { readonly openApiSchema: string }): Promise<OpenApiDocument>;
}

/** Recent texts by which documents are found again. */
const MAX_TEXTS = 16;

/** Creates an empty cache. */
export function createOpenApiDocuments(): OpenApiDocuments {
  const parseLongYaml = createYamlReader();
  const byOwner = new WeakMap<object, Promise<OpenApiDocument>>();
  const byText = new LRUCache<string, WeakRef<Promise<OpenApiDocument>>>({ max: MAX_TEXTS });
  return {
    read: (owner) => {
      const { openApiSchema: text } = owner;
      const document = byOwner.get(owner) ?? byText.get(text)?.deref() ?? parse(text);
      byOwner.set(owner, document);
      byText.set(text, new WeakRef(document));
      return document;
    },
  };

  async function parse(text: string): Promise<OpenApiDocument> {
    const document = parseImmediately(text) ?? (await parseLongYaml(text));
    if (document.kind === "unreadable") return document;
    return { ...document, operations: listOperations(document.root) };
  }
}

/** An operation of a document before its parameters, body and responses are read. */
export interface ListedOperation {
  /** `operationId`; "" when it has none. */
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly description: string;
  /** Reads what declaration and call need; the result is cached. */
  readonly read: () => Operation;
}

const METHODS: readonly HttpMethod[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Limit of operations of one document. */
export const MAX_OPERATIONS = 10_000;

/**
 * Limit of schemas inlined for the operations of a document that were declared or called. Beyond it the schemas of an operation have
 * `MIN_SCHEMAS` each, which costs them levels and no parameters, so that a toolset cannot block the server.
 */
const MAX_SCHEMAS_OF_DOCUMENT = 1_000_000;
const MIN_SCHEMAS = 100;

/** The operations of a document, in its order. */
function listOperations(root: JsonObject): readonly ListedOperation[] {
  const references = createReferences(root);
  const document = { root, references, budget: { left: MAX_SCHEMAS_OF_DOCUMENT } };
  const listed: ListedOperation[] = [];
  for (const [path, value] of Object.entries(isJsonObject(root.paths) ? root.paths : {})) {
    const item = path.startsWith("/") ? references.object(value) : undefined;
    for (const method of item ? METHODS : []) {
      const operation = item && references.object(item[method]);
      if (!operation || listed.length >= MAX_OPERATIONS) continue;
      const id = typeof operation.operationId === "string" ? operation.operationId.trim() : "";
      const description = textOf(operation.description) || textOf(operation.summary);
      const named = { id, method, path, description };
      listed.push({ ...named, read: once(() => ({ ...named, ...readOperation(operation, item, document) })) });
    }
  }
  return listed;
}

/** What is the same for all operations of a document. */
interface DocumentParts {
  readonly root: JsonObject;
  readonly references: References;
  /** Schemas that may still be inlined with all their levels. */
  readonly budget: { left: number };
}

function readOperation(
  operation: JsonObject,
  item: JsonObject,
  { root, references, budget }: DocumentParts,
): Omit<Operation, "id" | "method" | "path" | "description"> {
  const inline: Inline = (schema, side, share = 1) => {
    const limit = Math.ceil(Math.min(MAX_SCHEMAS, Math.max(MIN_SCHEMAS, budget.left)) * share);
    const inlined = inlineSchema(schema, references, side, limit);
    budget.left -= inlined.size;
    return inlined.schema;
  };
  const parameters = readParameters(operation, item, references, inline);
  const body = readBody(operation, references, inline);
  const success = readSuccessResponse(operation, references);
  const response = success.schema === undefined ? undefined : inline(success.schema, "response");
  return {
    parameters,
    body,
    response,
    accepts: success.mediaTypes,
    cookieKeys: cookieKeysOf(root, references),
    serverUrl: serverUrlOf([operation.servers, item.servers, root.servers]),
  };
}

/** Names of API keys in cookies. `auth.proto` has only headers and query parameters, so security schemes decide. */
function cookieKeysOf({ components }: JsonObject, references: References): readonly string[] {
  const schemes =
    isJsonObject(components) && isJsonObject(components.securitySchemes) ? components.securitySchemes : {};
  return Object.values(schemes).flatMap((value) => {
    const scheme = references.object(value);
    return scheme?.type === "apiKey" && scheme.in === "cookie" && typeof scheme.name === "string" ? [scheme.name] : [];
  });
}

import { isJsonObject, type JsonObject } from "#base";
import { type Inline, textOf } from "./document-values.ts";
import { type InlineBudget, inlineSchema, MOST_SCHEMAS } from "./inline-schema.ts";
import type { HttpMethod, Operation } from "./operation.ts";
import { readAnswer } from "./read-answer.ts";
import { readBody } from "./read-body.ts";
import { readParameters } from "./read-parameters.ts";
import { createReferences, type References } from "./references.ts";
import { serverUrlOf } from "./server-url.ts";

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
  const answer = readAnswer(operation, references);
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

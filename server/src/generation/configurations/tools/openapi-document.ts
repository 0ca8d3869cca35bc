import { isJsonObject, type JsonObject, type JsonValue, nonEmptyFields } from "#base";
import { inferSchema } from "./infer-schema.ts";
import type { OperationExample, Parameter } from "./operation-examples.ts";

/** Words about one operation, which no example says. */
export interface OperationTexts {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

/** An operation that examples show: those of the same method and path are one. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly examples: readonly OperationExample[];
}

/** Groups examples by method and path, and names each operation. `taken`: ids of operations that are there already. */
export function operationsOf(examples: readonly OperationExample[], taken: ReadonlySet<string>): readonly Operation[] {
  const groups = Map.groupBy(examples, ({ method, path }) => `${method} ${path}`);
  const ids = new Set(taken);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const operationId = freeId(idOf(first), ids);
    return [{ operationId, method: first.method, path: first.path, examples: group }];
  });
}

/** `get /orders/{order_id}/items` → `get_orders_by_order_id_items`. */
function idOf({ method, path }: OperationExample): string {
  const words = path.split("/").flatMap((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return segment === "" ? [] : [name === undefined ? segment : `by_${name}`];
  });
  return [method, ...words]
    .join("_")
    .replaceAll(/[^A-Za-z0-9_]+/g, "_")
    .toLowerCase();
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}_${number}`;
  taken.add(id);
  return id;
}

/** An OpenAPI 3.1 document with the operations, in place of those of the same method and path in `base`. */
export function openApiDocument(
  base: JsonObject | undefined,
  { uri, title }: { readonly uri: string; readonly title: string },
  operations: readonly Operation[],
  texts: ReadonlyMap<string, OperationTexts>,
): JsonObject {
  const paths: Record<string, JsonValue> = { ...(isJsonObject(base?.paths) ? base.paths : {}) };
  for (const operation of operations) {
    const { path, method, operationId } = operation;
    const item = paths[path];
    paths[path] = { ...(isJsonObject(item) ? item : {}), [method]: operationObject(operation, texts.get(operationId)) };
  }
  const fresh = { openapi: "3.1.0", info: { title, version: "1.0.0" } };
  return { ...fresh, ...base, servers: [{ url: uri }], paths };
}

function operationObject({ operationId, examples }: Operation, texts: OperationTexts | undefined): JsonObject {
  const requests = examples.flatMap(({ request }) => (request === undefined ? [] : [request]));
  const responses = examples.map(({ response }) => response);
  const hasBody = responses.some((response) => response !== null);
  const parameters = parametersOf(examples, texts);
  return {
    operationId,
    ...(texts?.summary && { summary: texts.summary }),
    ...(texts?.description && { description: texts.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(requests.length > 0 && {
      requestBody: {
        required: requests.length === examples.length,
        content: { "application/json": { schema: inferSchema(requests) } },
      },
    }),
    responses: {
      "200": {
        description: "The answer of the example.",
        ...(hasBody && { content: { "application/json": { schema: inferSchema(responses) } } }),
      },
    },
  };
}

/** A query parameter is required when each example has it. */
function parametersOf(examples: readonly OperationExample[], texts: OperationTexts | undefined): JsonObject[] {
  const all = examples.flatMap(({ parameters }) => parameters);
  const byName = Map.groupBy(all, (parameter) => `${parameter.in} ${parameter.name}`);
  return [...byName.values()].map((same) => {
    const [first] = same as [Parameter, ...Parameter[]];
    const description = texts?.parameters.find(({ name }) => name === first.name)?.description;
    const schemas = [...new Set(same.map(({ schema }) => JSON.stringify(schema)))];
    const schema = schemas.length === 1 ? first.schema : { type: "string" };
    const required = first.in === "path" || same.length === examples.length;
    return { name: first.name, in: first.in, required, ...nonEmptyFields({ description }), schema };
  });
}

import { isJsonObject, type JsonObject } from "#base";
import { filledBy, type Inline, listOf, textOf } from "./document-values.ts";
import type { OperationParameter, ParameterPlace, ParameterStyle } from "./operation.ts";
import type { References } from "./references.ts";

/** The parameters of an operation. Its own override those of its path with the same name and place. */
export function readParameters(
  operation: JsonObject,
  item: JsonObject,
  references: References,
  inline: Inline,
): readonly OperationParameter[] {
  const byKey = new Map<string, OperationParameter>();
  for (const value of [...listOf(item.parameters), ...listOf(operation.parameters)]) {
    const parameter = references.object(value);
    const place = parameter && PLACES.find((known) => known === parameter.in);
    if (!parameter || !place || typeof parameter.name !== "string") continue;
    byKey.set(`${place} ${parameter.name}`, readParameter(parameter.name, place, parameter, inline));
  }
  return [...byKey.values()].filter(
    (parameter) => parameter.in !== "header" || !RESERVED.has(parameter.name.toLowerCase()),
  );
}

const PLACES: readonly ParameterPlace[] = ["path", "query", "header", "cookie"];
/** Described elsewhere in a document, so parameters of these names are ignored (OpenAPI 3.1, 4.8.12). */
const RESERVED = new Set(["accept", "content-type", "authorization"]);
const STYLES: readonly ParameterStyle[] = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
];

function readParameter(name: string, place: ParameterPlace, parameter: JsonObject, inline: Inline): OperationParameter {
  const [content] = Object.entries(isJsonObject(parameter.content) ? parameter.content : {});
  const media = content?.[1];
  const schema = inline(content ? isJsonObject(media) && media.schema : parameter.schema, "request");
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const style = STYLES.find((known) => known === parameter.style) ?? usual;
  return {
    name,
    in: place,
    required: place === "path" || parameter.required === true,
    style,
    explode: typeof parameter.explode === "boolean" ? parameter.explode : style === "form",
    allowReserved: parameter.allowReserved === true,
    contentType: content?.[0],
    schema: { ...schema, ...descriptionOf(parameter, schema) },
    filledBy: filledBy(parameter) ?? filledBy(schema),
  };
}

function descriptionOf(parameter: JsonObject, schema: JsonObject): JsonObject {
  const own = textOf(parameter.description);
  const inner = textOf(schema.description);
  const words = /\([^()]*\)$/.exec(inner)?.[0];
  if (own === "") return {};
  return { description: words && !own.endsWith(words) && inner === words ? `${own} ${words}` : own };
}

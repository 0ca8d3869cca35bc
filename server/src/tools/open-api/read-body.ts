import { isJsonObject, type JsonObject } from "#base";
import { filledBy, type Inline, MOST_OF_A_KIND, textOf } from "./document-values.ts";
import type { OperationBody } from "./operation.ts";
import type { References } from "./references.ts";

/** Media types that can be written here, the best first. */
const WRITABLE: readonly RegExp[] = [
  /^application\/json\b/i,
  /^[^;]*\+json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\//i,
  /^application\/octet-stream\b/i,
  /./,
];

/** The body of an operation in the media type that is sent; undefined when it has none. */
export function readBody(operation: JsonObject, references: References, inline: Inline): OperationBody | undefined {
  const body = references.object(operation.requestBody);
  const content = Object.entries(isJsonObject(body?.content) ? body.content : {}).slice(0, MOST_OF_A_KIND);
  const chosen = WRITABLE.flatMap((fitting) => content.filter(([type]) => fitting.test(type)))[0];
  if (!body || !chosen) return undefined;
  const media = isJsonObject(chosen[1]) ? chosen[1] : {};
  const schema = inline(media.schema, "request");
  const own = textOf(body.description);
  return {
    contentType: chosen[0] === "*/*" ? "application/json" : chosen[0],
    required: body.required === true,
    schema: own !== "" && schema.description === undefined ? { ...schema, description: own } : schema,
    encoding: isJsonObject(media.encoding) ? media.encoding : {},
    filledBy: filledBy(body) ?? filledBy(schema),
  };
}

import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { MOST_OF_A_KIND } from "./document-values.ts";
import type { References } from "./references.ts";

/** The best answer that the document describes: the lowest 2xx, else the default. */
export function readAnswer(
  operation: JsonObject,
  references: References,
): { readonly schema: JsonValue | undefined; readonly mediaTypes: readonly string[] } {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const good = Object.keys(responses)
    .slice(0, MOST_OF_A_KIND)
    .filter((status) => /^2(\d\d|XX)$/i.test(status))
    .sort();
  const key = good[0] ?? (Object.hasOwn(responses, "default") ? "default" : undefined);
  const answers = [...good, "default"].map((status) => references.object(responses[status]) ?? {});
  const contents = answers.map(({ content }) => (isJsonObject(content) ? content : {}));
  const content = key === undefined ? undefined : references.object(responses[key])?.content;
  const media = Object.entries(isJsonObject(content) ? content : {}).find(([type]) => /json|\*/i.test(type))?.[1];
  return {
    schema: isJsonObject(media) ? media.schema : undefined,
    mediaTypes: [...new Set(contents.flatMap((types) => Object.keys(types)))],
  };
}

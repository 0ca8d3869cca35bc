import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** What the server writes by itself with every change. */
const COMPUTED = new Set([
  "etag",
  "createTime",
  "updateTime",
  "validationErrors",
  "deploymentCount",
  "generatedSummary",
]);

/** A recorded resource as texts by path: those of several lines by themselves, the rest as JSON under the empty path. */
export function splitTexts(resource: JsonObject | undefined): ReadonlyMap<string, string> {
  if (!resource) return new Map();
  const texts = new Map<string, string>();
  const rest = Object.fromEntries(
    Object.entries(resource)
      .filter(([key]) => !COMPUTED.has(key))
      .map(([key, value]) => [key, extractTexts(value, key, texts)]),
  );
  return new Map([["", JSON.stringify(rest, null, 2)], ...texts]);
}

function extractTexts(value: JsonValue, path: string, texts: Map<string, string>): JsonValue {
  if (typeof value === "string") {
    if (!value.includes("\n")) return value;
    texts.set(path, value);
    return "(compared separately)";
  }
  if (Array.isArray(value)) return value.map((item, at) => extractTexts(item, `${path}[${at}]`, texts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, extractTexts(item, `${path}.${key}`, texts)]),
  );
}

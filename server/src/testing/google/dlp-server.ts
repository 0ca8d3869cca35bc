import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type GoogleReply, type GoogleServer, startGoogleServer } from "./google-server.ts";
import { publishedTypes } from "./published-type.ts";

/**
 * Cloud DLP at the edge: `content:deidentify` by the published definition, for tables of texts. A template finds the words that it
 * is given here; each is replaced by `[NAME]`. `broken` answers every call with that error.
 */
export async function startDlp({
  templates,
  broken,
}: {
  /** Words by the full name of the inspect template. */
  readonly templates: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly broken?: { readonly status: number; readonly errorMessage: string };
}): Promise<GoogleServer> {
  const check = publishedTypes("google/privacy/dlp/v2/dlp.proto");
  return startGoogleServer(({ path, message }): GoogleReply => {
    if (broken) return broken;
    const parent = /^\/v2\/(projects\/[^/]+\/locations\/[^/]+)\/content:deidentify$/.exec(path)?.[1];
    if (!parent) return { status: 404, errorMessage: `Not found: ${path}` };
    const unknownFields = check("google.privacy.dlp.v2.DeidentifyContentRequest", message);
    if (unknownFields.length > 0) return { status: 400, errorMessage: `Unknown name ${unknownFields.join(", ")}` };
    const { inspectTemplateName, deidentifyTemplateName, deidentifyConfig, item } = message;
    if (!deidentifyTemplateName && !deidentifyConfig) return { status: 400, errorMessage: "No deidentify config." };
    const words = templates[String(inspectTemplateName)];
    if (!words) return { status: 404, errorMessage: `No template ${String(inspectTemplateName)}.` };
    return { item: replaced(item, words) as JsonObject, overview: {} };
  });
}

function replaced(value: JsonValue | undefined, words: Readonly<Record<string, string>>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replaced(item, words));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, words)]));
  if (typeof value !== "string") return value ?? null;
  return Object.entries(words).reduce((text, [word, kind]) => text.replaceAll(word, `[${kind}]`), value);
}

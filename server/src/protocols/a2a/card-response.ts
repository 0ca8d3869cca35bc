import { createHash } from "node:crypto";
import { toJson } from "@bufbuild/protobuf";
import { type AgentCard, AgentCardSchema } from "@frontdesk/protos/a2a/a2a";
import type { Caller, JsonObject, JsonValue } from "#base";
import type { Exchange } from "../http/exchange.ts";
import { sendJson } from "../http/send.ts";
import { withRequiredFields } from "./complete-json.ts";
import { legacyCard } from "./legacy.ts";

/** How long a client may keep a card, seconds (A2A 1.0, section 8.6). */
const MAX_AGE_S = 300;

/** The fields of a card: of all versions of the protocol, or of 1.0 alone, whose schema allows no others. */
export type CardForm = "all" | "1.0";

/**
 * Sends a card in the form that its reader knows (A2A-3): of 1.0, of 0.3, or `form` for a reader that names neither: all fields at once
 * suit clients of both, which ignore the fields of the other.
 */
export async function sendCard(
  { request, response }: Exchange,
  card: AgentCard,
  { kind }: Pick<Caller, "kind">,
  form: CardForm,
): Promise<void> {
  const text = JSON.stringify(await cardJson(card, formFor(String(request.headers["a2a-version"] ?? "").trim(), form)));
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  const headers = {
    etag,
    // Who is known may see more than others.
    "cache-control": `${kind === "anonymous" ? "public" : "private"}, max-age=${MAX_AGE_S}`,
    vary: "A2A-Version, Accept-Encoding, Authorization, Cookie, Host, Origin, X-Goog-Api-Key",
  };
  if (request.headers["if-none-match"] === etag) return void response.writeHead(304, headers).end();
  await sendJson(request, response, 200, text, headers);
}

/** The form for a reader of a version; those of a version that there is not yet can read none better than all. */
function formFor(version: string, form: CardForm): CardForm | "0.3" {
  if (/^1(\.|$)/.test(version)) return "1.0";
  return /^0\.3(\.|$)/.test(version) ? "0.3" : form;
}

async function cardJson(card: AgentCard, form: CardForm | "0.3"): Promise<JsonValue> {
  const current = withRequiredFields(AgentCardSchema, toJson(AgentCardSchema, card) as JsonValue);
  if (form === "1.0") return current;
  const legacy = await legacyCard(card);
  return form === "all" ? merged(legacy, current as JsonObject) : legacy;
}

/** Security schemes have both forms side by side; all other names that both know mean the same. */
function merged(legacy: JsonObject, current: JsonObject): JsonObject {
  const { securitySchemes: old = {} } = legacy as { readonly securitySchemes?: JsonObject };
  const { securitySchemes: now = {} } = current as { readonly securitySchemes?: JsonObject };
  const schemes = Object.keys(now).map((name) => [
    name,
    { ...(old[name] as JsonObject), ...(now[name] as JsonObject) },
  ]);
  return { ...legacy, ...current, ...(schemes.length > 0 && { securitySchemes: Object.fromEntries(schemes) }) };
}

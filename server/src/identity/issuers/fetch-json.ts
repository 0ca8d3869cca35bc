import { type Egress, isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Milliseconds that an issuer may take. */
const TIMEOUT_MS = 5_000;

/** Largest document of an issuer, bytes: a hundred keys take a tenth of it. */
const MAX_BYTES = 512 * 1024;

/** Reads a JSON object from an issuer through the gate. Rejects with a sentence for the log. */
export async function fetchJson(egress: Egress, url: string): Promise<JsonObject> {
  const response = await egress.fetch({
    method: "GET",
    url,
    headers: { accept: "application/json" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  });
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}`);
  const json = JSON.parse(Buffer.from(response.body).toString()) as JsonValue;
  if (isJsonObject(json)) return json;
  throw new Error(`GET ${url} answered something else than a JSON object`);
}

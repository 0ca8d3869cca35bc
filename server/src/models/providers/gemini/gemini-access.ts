import { createServiceToken } from "#google";
import { type Endpoint, parseEndpoint } from "../../http/http-client.ts";
import { createRedact, type Redact } from "../../model-call-error.ts";
import type { GeminiProviderConfig } from "../../models-config.ts";

const GEMINI_API = "https://generativelanguage.googleapis.com";

/** The base URL of Vertex AI for a location: global, a multi-region, or a region. */
export function vertexBaseUrl(location: string): string {
  if (location === "global") return "https://aiplatform.googleapis.com";
  if (location === "us" || location === "eu") return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

/** Address and authentication of one configured provider of Gemini models. */
interface GeminiAccess {
  readonly endpoint: Endpoint;
  readonly redact: Redact;
  /** The headers of a call. An API key never changes; an access token does, every hour. */
  headers(): readonly string[] | Promise<readonly string[]>;
}

/** The Gemini API with an API key, or Vertex AI with Google Cloud credentials. */
export function geminiAccess({ access, baseUrl, headers }: GeminiProviderConfig): GeminiAccess {
  const fixed = ["content-type", "application/json", ...Object.entries(headers).flat()];
  if (access.kind === "api-key") {
    const all = [...fixed, "x-goog-api-key", access.apiKey];
    const endpoint = parseEndpoint(baseUrl || GEMINI_API);
    return { endpoint, redact: createRedact([access.apiKey], headers), headers: () => all };
  }
  const accessToken = createServiceToken("Vertex AI", access.project);
  return {
    endpoint: parseEndpoint(baseUrl || vertexBaseUrl(access.location)),
    redact: createRedact([], headers),
    headers: async () => [...fixed, "authorization", `Bearer ${await accessToken()}`],
  };
}

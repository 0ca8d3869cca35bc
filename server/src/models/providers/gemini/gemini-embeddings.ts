import { isJsonObject, type JsonObject } from "#base";
import { createServiceToken } from "#google";
import { CallFailure } from "../../call-failure.ts";
import { toVector } from "../../embedding-vector.ts";
import type { EmbeddingWire } from "../../embeddings.ts";
import { parseEndpoint } from "../../endpoint.ts";
import type { GeminiProviderConfig } from "../../models-config.ts";
import { createRedact } from "../../redact.ts";
import { vertexBaseUrl } from "./vertex-base-url.ts";

const GEMINI_API = "https://generativelanguage.googleapis.com";
const TASK = { document: "RETRIEVAL_DOCUMENT", query: "RETRIEVAL_QUERY" } as const;

/** `:batchEmbedContents` of the Gemini API with a key, `:predict` of Vertex AI with Google Cloud credentials. */
export function geminiEmbeddingWire(config: GeminiProviderConfig, model: string): EmbeddingWire {
  return config.access.kind === "vertex"
    ? vertexWire(config, model, config.access)
    : apiWire(config, model, config.access.apiKey);
}

function apiWire(config: GeminiProviderConfig, model: string, apiKey: string): EmbeddingWire {
  const endpoint = parseEndpoint(config.baseUrl || GEMINI_API);
  const headers = [...fixedHeaders(config), "x-goog-api-key", apiKey];
  const name = `models/${model}`;
  return {
    label: `${config.name}/${model}`,
    redact: createRedact([apiKey]),
    batch: 100,
    prepare: async (texts, purpose) => ({
      origin: endpoint.origin,
      path: endpoint.path(`/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`),
      headers,
      body: JSON.stringify({
        requests: texts.map((text) => ({ model: name, content: { parts: [{ text }] }, taskType: TASK[purpose] })),
      }),
    }),
    read: ({ embeddings }) => rows(embeddings).map(({ values }) => toVector(values)),
  };
}

function vertexWire(
  config: GeminiProviderConfig,
  model: string,
  { project, location }: { readonly project: string; readonly location: string },
): EmbeddingWire {
  const endpoint = parseEndpoint(config.baseUrl || vertexBaseUrl(location));
  const accessToken = createServiceToken("Vertex AI", project);
  const resource = ["projects", project, "locations", location, "publishers", "google", "models", model];
  return {
    label: `${config.name}/${model}`,
    redact: createRedact([]),
    // gemini-embedding models take one text a call.
    batch: model.startsWith("gemini-embedding") ? 1 : 50,
    prepare: async (texts, purpose) => ({
      origin: endpoint.origin,
      path: endpoint.path(`/v1/${resource.map(encodeURIComponent).join("/")}:predict`),
      headers: [...fixedHeaders(config), "authorization", `Bearer ${await accessToken()}`],
      body: JSON.stringify({ instances: texts.map((content) => ({ content, task_type: TASK[purpose] })) }),
    }),
    read: ({ predictions }) =>
      rows(predictions).map(({ embeddings }) => toVector(isJsonObject(embeddings) ? embeddings.values : undefined)),
  };
}

function fixedHeaders({ headers }: GeminiProviderConfig): readonly string[] {
  return ["content-type", "application/json", ...Object.entries(headers).flat()];
}

function rows(list: unknown): readonly JsonObject[] {
  if (!Array.isArray(list)) throw new CallFailure("the answer has no vectors");
  return list.filter(isJsonObject);
}

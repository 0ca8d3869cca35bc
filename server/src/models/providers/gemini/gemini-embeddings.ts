import { isJsonObject, type JsonObject } from "#base";
import { type EmbeddingAdapter, toVector } from "../../embeddings.ts";
import { ModelCallError } from "../../model-call-error.ts";
import type { GeminiProviderConfig } from "../../models-config.ts";
import { geminiAccess } from "./gemini-access.ts";

const TASK = { document: "RETRIEVAL_DOCUMENT", query: "RETRIEVAL_QUERY" } as const;

/** `:batchEmbedContents` of the Gemini API with a key, `:predict` of Vertex AI with Google Cloud credentials. */
export function geminiEmbeddingAdapter(config: GeminiProviderConfig, model: string): EmbeddingAdapter {
  const { access, name } = config;
  const { endpoint, redact, headers } = geminiAccess(config);
  const shared = { label: `${name}/${model}`, redact };
  if (access.kind === "api-key") {
    const path = endpoint.path(`/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`);
    return {
      ...shared,
      batch: 100,
      prepare: async (texts, purpose) => ({
        origin: endpoint.origin,
        path,
        headers: await headers(),
        body: JSON.stringify({
          requests: texts.map((text) => ({
            model: `models/${model}`,
            content: { parts: [{ text }] },
            taskType: TASK[purpose],
          })),
        }),
      }),
      read: ({ embeddings }) => rows(embeddings).map(({ values }) => toVector(values)),
    };
  }
  const { project, location } = access;
  const resource = ["projects", project, "locations", location, "publishers", "google", "models", model];
  const path = endpoint.path(`/v1/${resource.map(encodeURIComponent).join("/")}:predict`);
  return {
    ...shared,
    // gemini-embedding models accept one text per call.
    batch: model.startsWith("gemini-embedding") ? 1 : 50,
    prepare: async (texts, purpose) => ({
      origin: endpoint.origin,
      path,
      headers: await headers(),
      body: JSON.stringify({ instances: texts.map((content) => ({ content, task_type: TASK[purpose] })) }),
    }),
    read: ({ predictions }) =>
      rows(predictions).map(({ embeddings }) => toVector(isJsonObject(embeddings) ? embeddings.values : undefined)),
  };
}

function rows(list: unknown): readonly JsonObject[] {
  if (!Array.isArray(list)) throw new ModelCallError("the answer has no vectors");
  return list.filter(isJsonObject);
}

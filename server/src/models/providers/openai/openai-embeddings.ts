import { isJsonObject } from "#base";
import type { EmbeddingAdapter } from "../../embeddings.ts";
import { toVector } from "../../embeddings.ts";
import { parseEndpoint } from "../../http/http-client.ts";
import { createRedact, ModelCallError } from "../../model-call-error.ts";
import type { OpenAiProviderConfig } from "../../models-config.ts";

/** `POST /embeddings` of OpenAI and compatible servers, which have no notion of a text's purpose. */
export function openAiEmbeddingAdapter(config: OpenAiProviderConfig, model: string): EmbeddingAdapter {
  const endpoint = parseEndpoint(config.baseUrl);
  const headers = ["content-type", "application/json", ...Object.entries(config.headers).flat()];
  if (config.apiKey !== "") headers.push("authorization", `Bearer ${config.apiKey}`);
  return {
    label: `${config.name}/${model}`,
    redact: createRedact([config.apiKey], config.headers),
    batch: 100,
    prepare: async (input) => ({
      origin: endpoint.origin,
      path: endpoint.path("/embeddings"),
      headers,
      body: JSON.stringify({ model, input, encoding_format: "float" }),
    }),
    read: ({ data }) => {
      if (!Array.isArray(data)) throw new ModelCallError("the answer has no data");
      const rows = data.filter(isJsonObject);
      return rows
        .sort((first, second) => Number(first.index ?? 0) - Number(second.index ?? 0))
        .map(({ embedding }) => toVector(embedding));
    },
  };
}

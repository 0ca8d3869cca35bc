import { isJsonObject } from "#base";
import { CallFailure } from "../../call-failure.ts";
import { toVector } from "../../embedding-vector.ts";
import type { EmbeddingWire } from "../../embeddings.ts";
import { parseEndpoint } from "../../endpoint.ts";
import type { OpenAiProviderConfig } from "../../models-config.ts";
import { createRedact } from "../../redact.ts";

/** `POST /embeddings`, as OpenAI and the servers that speak like it have it. They do not ask what a text is for. */
export function openAiEmbeddingWire(config: OpenAiProviderConfig, model: string): EmbeddingWire {
  const endpoint = parseEndpoint(config.baseUrl);
  const headers = ["content-type", "application/json", ...Object.entries(config.headers).flat()];
  if (config.apiKey !== "") headers.push("authorization", `Bearer ${config.apiKey}`);
  return {
    label: `${config.name}/${model}`,
    redact: createRedact([config.apiKey]),
    batch: 100,
    prepare: async (input) => ({
      origin: endpoint.origin,
      path: endpoint.path("/embeddings"),
      headers,
      body: JSON.stringify({ model, input, encoding_format: "float" }),
    }),
    read: ({ data }) => {
      if (!Array.isArray(data)) throw new CallFailure("the answer has no data");
      const rows = data.filter(isJsonObject);
      return rows
        .sort((first, second) => Number(first.index ?? 0) - Number(second.index ?? 0))
        .map(({ embedding }) => toVector(embedding));
    },
  };
}

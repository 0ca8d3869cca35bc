import { LLM_CAPABILITIES, type ModelProvider } from "../../contract.ts";
import type { Endpoint } from "../../http/http-client.ts";
import { createHttpLanguageModel, type HttpModelAdapter, type ProviderDeps } from "../../http/http-language-model.ts";
import type { GeminiProviderConfig } from "../../models-config.ts";
import { functionNames, GEMINI_NAMES } from "../shared/function-calls.ts";
import { type GeminiDialect, toGenerateContentRequest } from "./convert-prompt.ts";
import { GeminiResponseReader } from "./convert-stream.ts";
import { geminiAccess } from "./gemini-access.ts";
import { geminiThinking } from "./thinking.ts";

/** A provider of Gemini models, at the Gemini API or Vertex AI. */
export function createGeminiProvider(config: GeminiProviderConfig, deps: ProviderDeps): ModelProvider {
  const { access } = config;
  const { endpoint, redact, headers } = geminiAccess(config);

  return (model) => {
    const dialect: Omit<GeminiDialect, "names" | "thinking"> = {
      callIds: access.kind === "api-key",
      signaturesRequired: /gemini-[3-9]/.test(model),
    };
    const methods = methodPaths(endpoint, access.kind === "vertex" ? vertexPath(access, model) : apiPath(model));
    const adapter: HttpModelAdapter = {
      label: `${config.name}/${model}`,
      redact,
      capabilities: { ...LLM_CAPABILITIES, safetySettings: true },
      thinking: geminiThinking,
      prepare: async (request, streaming, thinking) => {
        const names = functionNames(request.tools, GEMINI_NAMES);
        const body = toGenerateContentRequest(request, { ...dialect, names, thinking });
        const path = streaming ? methods.stream : methods.whole;
        return {
          request: { origin: endpoint.origin, path, headers: await headers(), body },
          reader: new GeminiResponseReader(deps.ids, names, request.thoughtSummaries ?? false),
        };
      },
    };
    return createHttpLanguageModel(adapter, deps);
  };
}

function methodPaths(endpoint: Endpoint, resource: string): { readonly stream: string; readonly whole: string } {
  return {
    stream: endpoint.path(`${resource}:streamGenerateContent?alt=sse`),
    whole: endpoint.path(`${resource}:generateContent`),
  };
}

/** Tuned models name their collection, `tunedModels/my-model`; the others are under `models/`. */
function apiPath(model: string): string {
  return `/v1beta/${encodePath(model.includes("/") ? model : `models/${model}`)}`;
}

function vertexPath(
  { project, location }: { readonly project: string; readonly location: string },
  model: string,
): string {
  const resource = model.includes("/") ? model : `publishers/google/models/${model}`;
  return `/v1beta1/${encodePath(`projects/${project}/locations/${location}/${resource}`)}`;
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

import { createServiceToken } from "#google";
import type { LanguageModel } from "../../contract.ts";
import { type Endpoint, parseEndpoint } from "../../endpoint.ts";
import { functionNames, GEMINI_NAMES } from "../../function-names.ts";
import { createHttpLanguageModel, type ProviderDeps, type Wire } from "../../http-language-model.ts";
import type { GeminiProviderConfig } from "../../models-config.ts";
import { createRedact } from "../../redact.ts";
import { type GeminiDialect, toGenerateContentRequest } from "./convert-prompt.ts";
import { GeminiAnswerReader } from "./convert-stream.ts";
import { vertexBaseUrl } from "./vertex-base-url.ts";

const GEMINI_API = "https://generativelanguage.googleapis.com";

/** A provider of Gemini models: gives the model of a name. */
export function createGeminiProvider(
  config: GeminiProviderConfig,
  deps: ProviderDeps,
): (model: string) => LanguageModel {
  const { access } = config;
  const endpoint = parseEndpoint(
    config.baseUrl || (access.kind === "vertex" ? vertexBaseUrl(access.location) : GEMINI_API),
  );
  const headers = headersFor(config);
  const redact = createRedact(access.kind === "vertex" ? [] : [access.apiKey]);

  return (model) => {
    const dialect: Omit<GeminiDialect, "names"> = {
      callIds: access.kind === "api-key",
      signaturesRequired: /gemini-[3-9]/.test(model),
    };
    const methods = methodPaths(endpoint, access.kind === "vertex" ? vertexPath(access, model) : apiPath(model));
    const wire: Wire = {
      label: `${config.name}/${model}`,
      redact,
      prepare: async (request, streaming) => {
        const names = functionNames(request.tools, GEMINI_NAMES);
        const body = toGenerateContentRequest(request, { ...dialect, names });
        const path = streaming ? methods.stream : methods.whole;
        return {
          request: { origin: endpoint.origin, path, headers: await headers(), body },
          reader: new GeminiAnswerReader(deps.ids, names),
        };
      },
    };
    return createHttpLanguageModel(wire, deps);
  };
}

/** A key never changes; a token does, every hour. */
function headersFor({ access, headers }: GeminiProviderConfig): () => readonly string[] | Promise<readonly string[]> {
  const fixed = ["content-type", "application/json", ...Object.entries(headers).flat()];
  if (access.kind === "api-key") {
    const all = [...fixed, "x-goog-api-key", access.apiKey];
    return () => all;
  }
  const accessToken = createServiceToken("Vertex AI", access.project);
  return async () => [...fixed, "authorization", `Bearer ${await accessToken()}`];
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

import { LLM_CAPABILITIES, type ModelProvider } from "../../contract.ts";
import { parseEndpoint } from "../../http/http-client.ts";
import { createHttpLanguageModel, type ProviderDeps } from "../../http/http-language-model.ts";
import { createRedact } from "../../model-call-error.ts";
import type { OpenAiProviderConfig } from "../../models-config.ts";
import { functionNames } from "../shared/function-calls.ts";
import { toChatCompletionRequest } from "./convert-prompt.ts";
import { OpenAiResponseReader } from "./convert-stream.ts";
import { openAiThinking } from "./thinking.ts";

/** Functions of one request that OpenAI and Azure take at most. Compatible servers have limits of their own, or none. */
const MOST_FUNCTIONS = 128;

/** A provider of models behind OpenAI's chat completions API. */
export function createOpenAiProvider(config: OpenAiProviderConfig, deps: ProviderDeps): ModelProvider {
  const endpoint = parseEndpoint(config.baseUrl);
  const { origin, host } = endpoint;
  const path = endpoint.path("/chat/completions");
  const authorization = config.apiKey === "" ? [] : ["authorization", `Bearer ${config.apiKey}`];
  const headers = ["content-type", "application/json", ...authorization, ...Object.entries(config.headers).flat()];
  const redact = createRedact([config.apiKey], config.headers);
  const isOpenAi = /(^|\.)openai\.(com|azure\.com)$/.test(host);
  const capabilities = isOpenAi ? { ...LLM_CAPABILITIES, mostFunctions: MOST_FUNCTIONS } : LLM_CAPABILITIES;
  const maxTokensField = isOpenAi ? "max_completion_tokens" : "max_tokens";

  return (model) =>
    createHttpLanguageModel(
      {
        label: `${config.name}/${model}`,
        redact,
        capabilities,
        thinking: openAiThinking,
        prepare: (request, streaming, thinking) => {
          const names = functionNames(request.tools);
          const body = toChatCompletionRequest(request, { model, streaming, names, maxTokensField, thinking });
          const reader = new OpenAiResponseReader(deps.ids, names, request.thoughtSummaries ?? false);
          return { request: { origin, path, headers, body }, reader };
        },
      },
      deps,
    );
}

import type { ModelProvider } from "../../contract.ts";
import { parseEndpoint } from "../../http/http-client.ts";
import { createHttpLanguageModel, type ProviderDeps } from "../../http/http-language-model.ts";
import { createRedact } from "../../model-call-error.ts";
import type { AnthropicProviderConfig } from "../../models-config.ts";
import { functionNames } from "../shared/function-calls.ts";
import { toMessagesRequest } from "./convert-prompt.ts";
import { AnthropicResponseReader } from "./convert-stream.ts";
import { anthropicThinking } from "./thinking.ts";

const API_VERSION = "2023-06-01";

/** A provider of models behind Anthropic's Messages API. */
export function createAnthropicProvider(config: AnthropicProviderConfig, deps: ProviderDeps): ModelProvider {
  const endpoint = parseEndpoint(config.baseUrl);
  const { origin } = endpoint;
  const path = endpoint.path("/v1/messages");
  const key = config.apiKey === "" ? [] : ["x-api-key", config.apiKey];
  const fixed = ["content-type", "application/json", "anthropic-version", API_VERSION];
  const headers = [...fixed, ...key, ...Object.entries(config.headers).flat()];
  const redact = createRedact([config.apiKey], config.headers);

  return (model) =>
    createHttpLanguageModel(
      {
        label: `${config.name}/${model}`,
        redact,
        thinking: anthropicThinking,
        prepare: (request, streaming, thinking) => {
          const names = functionNames(request.tools);
          const body = toMessagesRequest(request, { model, streaming, names, thinking });
          const reader = new AnthropicResponseReader(deps.ids, names, request.thoughtSummaries ?? false);
          return { request: { origin, path, headers, body }, reader };
        },
      },
      deps,
    );
}

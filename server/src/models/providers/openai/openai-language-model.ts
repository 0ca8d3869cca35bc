import type { LanguageModel } from "../../contract.ts";
import { parseEndpoint } from "../../endpoint.ts";
import { functionNames } from "../../function-names.ts";
import { createHttpLanguageModel, type ProviderDeps } from "../../http-language-model.ts";
import type { OpenAiProviderConfig } from "../../models-config.ts";
import { createRedact } from "../../redact.ts";
import { toChatCompletionRequest } from "./convert-prompt.ts";
import { OpenAiAnswerReader } from "./convert-stream.ts";

/** A provider of models behind OpenAI's chat completions: gives the model of a name. */
export function createOpenAiProvider(
  config: OpenAiProviderConfig,
  deps: ProviderDeps,
): (model: string) => LanguageModel {
  const endpoint = parseEndpoint(config.baseUrl);
  const { origin, host } = endpoint;
  const path = endpoint.path("/chat/completions");
  const authorization = config.apiKey === "" ? [] : ["authorization", `Bearer ${config.apiKey}`];
  const headers = ["content-type", "application/json", ...authorization, ...Object.entries(config.headers).flat()];
  const redact = createRedact([config.apiKey]);
  const own = /(^|\.)openai\.(com|azure\.com)$/.test(host);
  const maxTokensField = own ? "max_completion_tokens" : "max_tokens";

  return (model) =>
    createHttpLanguageModel(
      {
        label: `${config.name}/${model}`,
        redact,
        prepare: (request, streaming) => {
          const names = functionNames(request.tools);
          const body = toChatCompletionRequest(request, { model, streaming, names, maxTokensField });
          return { request: { origin, path, headers, body }, reader: new OpenAiAnswerReader(deps.ids, names) };
        },
      },
      deps,
    );
}

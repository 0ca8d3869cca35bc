/** Language models behind one small contract; providers are translators, never seen from outside. */
export type {
  DialogueCase,
  DialogueContext,
  FinishReason,
  FunctionDeclaration,
  JsonSchema,
  LanguageModel,
  ModelCapabilities,
  ModelMessage,
  ModelPart,
  ModelRequest,
  Models,
  ModelsStatus,
  SafetySetting,
  StreamOptions,
  StreamPart,
  Usage,
} from "./contract.ts";
export { LLM_CAPABILITIES } from "./contract.ts";
export { createEmbeddings, embeddingViolations } from "./create-embeddings.ts";
export { createModels, type ModelsDeps } from "./create-models.ts";
export type { EmbeddingModel, EmbedOptions } from "./embeddings.ts";
export {
  type AiSdkProviderConfig,
  type AnthropicProviderConfig,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUTS,
  type GeminiProviderConfig,
  type ModelsConfig,
  NO_MODELS,
  type OpenAiProviderConfig,
  type ProviderConfig,
} from "./models-config.ts";
export { type ModelsConfigSources, modelsConfigFrom } from "./models-config-from.ts";
export { vertexBaseUrl } from "./providers/gemini/vertex-base-url.ts";

/** Language models and embedding models behind one contract each; callers know no provider. See README.md. */
export { askForJson, UnusableAnswer } from "./ask-for-json.ts";
export {
  type DialogueContext,
  type DialogueExample,
  type FinishReason,
  type FunctionDeclaration,
  type JsonSchema,
  type LanguageModel,
  LLM_CAPABILITIES,
  type ModelCapabilities,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type Models,
  type SafetySetting,
  type StreamOptions,
  type StreamPart,
  type ThinkingLevel,
  type Usage,
} from "./contract.ts";
export { createEmbeddings, embeddingViolations } from "./create-embeddings.ts";
export { createModels } from "./create-models.ts";
export type { EmbeddingModel } from "./embeddings.ts";
export type { ModelsConfig, ProviderConfig } from "./models-config.ts";
export { modelsConfigFrom } from "./models-config-from.ts";
export { vertexBaseUrl } from "./providers/gemini/gemini-access.ts";
export { shortFunctionName } from "./providers/shared/function-calls.ts";
export { shareThatFits } from "./request-excess.ts";
export { thinkingLevelOf } from "./thinking-level.ts";

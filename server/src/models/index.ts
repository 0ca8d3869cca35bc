/** Language models behind one small contract; providers are translators, never seen from outside. */
export type {
  DialogueCase,
  FinishReason,
  FunctionDeclaration,
  JsonSchema,
  LanguageModel,
  ModelHints,
  ModelMessage,
  ModelPart,
  ModelRequest,
  Models,
  ModelsStatus,
  SafetySetting,
  StreamPart,
  Usage,
} from "./contract.ts";

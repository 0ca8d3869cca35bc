import type { JsonObject } from "#base";

/** A JSON Schema (2020-12, the subset that all providers take): what a function's arguments look like. */
export type JsonSchema = JsonObject;

/** A function the model may call. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/**
 * One piece of a message, in either direction. `signature` is a provider's opaque thought signature: return it unchanged. `presents`
 * has the parts of another agent that a text describes, none for the heading of such texts; providers send the text only. A call with
 * `unreadableArgs` must not be made: the model wrote these arguments, which are no JSON object, and `args` is empty.
 */
export type ModelPart =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly signature?: string;
      readonly presents?: readonly ModelPart[];
    }
  | { readonly kind: "blob"; readonly mimeType: string; readonly data: Uint8Array }
  | {
      readonly kind: "function-call";
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
      readonly unreadableArgs?: string;
      readonly signature?: string;
    }
  | { readonly kind: "function-response"; readonly id: string; readonly name: string; readonly response: JsonObject };

/** A message of the prompt. Function responses are parts of `user` messages, as in Gemini's API; each provider's converter moves them where its API expects them. */
export interface ModelMessage {
  readonly role: "user" | "model";
  readonly parts: readonly ModelPart[];
}

/** A safety threshold by harm category, in Gemini's names; providers without the notion ignore it. */
export interface SafetySetting {
  readonly category: string;
  readonly threshold: string;
}

/** One recorded dialogue that shows how to act: an Example of the app. */
export interface DialogueExample {
  readonly name: string;
  readonly messages: readonly ModelMessage[];
}

/** The agent and its dialogue in structured form, for models that do not read a prompt's prose. */
export interface DialogueContext {
  readonly agentName: string;
  /** Instruction of the agent as written, without the engine's own additions. */
  readonly instruction: string;
  /** Child agents and parent that `transfer_to_agent` accepts. */
  readonly transferTargets: readonly { readonly name: string; readonly description: string }[];
  readonly state: JsonObject;
  readonly examples: readonly DialogueExample[];
}

/** How much a model thinks before it answers, least first. */
export type ThinkingLevel = "minimal" | "low" | "medium" | "high";

/** One model call. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly FunctionDeclaration[];
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Absent = as much as the model does by itself. A model that cannot be told thinks as it does. */
  readonly thinkingLevel?: ThinkingLevel;
  /** Asks for summaries of the thoughts, `thought-delta` parts. Default false. */
  readonly thoughtSummaries?: boolean;
  readonly safetySettings?: readonly SafetySetting[];
  /** When given, the answer must be JSON of this schema. */
  readonly responseSchema?: JsonSchema;
  /** Given to a model whose capabilities declare `dialogueContext`, and to no other. */
  readonly dialogueContext?: DialogueContext;
  /**
   * Who calls: an agent's display name, or another caller such as `guardrail Manners`. Never sent to a provider; recordings
   * distinguish two callers with the same prompt by it.
   */
  readonly caller?: string;
}

/** Why an answer ended. `length`: the limit of tokens; `safety`: the provider, or the model, refuses; `malformed`: a function call that cannot be read; `other`: anything else, or nothing was said. */
export type FinishReason = "stop" | "length" | "tool-calls" | "safety" | "malformed" | "other";

/** Tokens as the provider counts them; absent where it does not count. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly thoughtTokens?: number;
  readonly cachedTokens?: number;
}

/**
 * What a model call emits, in order; the last part is always `finish`. Function calls are complete, text is in deltas. Summaries of thoughts
 * come when they were asked for, and are no part of the answer.
 */
export type StreamPart =
  | { readonly kind: "thought-delta"; readonly text: string }
  | { readonly kind: "text-delta"; readonly text: string; readonly signature?: string }
  | {
      readonly kind: "function-call";
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
      /** As in `ModelPart`. */
      readonly unreadableArgs?: string;
      readonly signature?: string;
    }
  | { readonly kind: "finish"; readonly reason: FinishReason; readonly rawReason: string; readonly usage: Usage };

/** What a model can do and which optional parts of a request it reads. Callers ask for these, never for a model's name. */
export interface ModelCapabilities {
  /** It follows instructions in prose: it can judge a text, summarize, and write a query. A policy of fixed rules cannot. */
  readonly instructionFollowing: boolean;
  /** It reads `ModelRequest.dialogueContext`. */
  readonly dialogueContext: boolean;
  /** It reads `ModelRequest.safetySettings`, and ends an answer that goes beyond them with the finish reason `safety`. */
  readonly safetySettings: boolean;
  /** Most functions of a request, where the provider is known to refuse more. Absent = not known. */
  readonly mostFunctions?: number;
}

/** The capabilities of a large language model, which reads its prompt and nothing else. */
export const LLM_CAPABILITIES: ModelCapabilities = {
  instructionFollowing: true,
  dialogueContext: false,
  safetySettings: false,
};

/** A model that answers: the contract of every provider. */
export interface LanguageModel {
  /** Provider and model as shown in traces, e.g. `google/gemini-2.5-flash`. */
  readonly label: string;
  readonly capabilities: ModelCapabilities;
  /**
   * Starts a call and yields its parts. Throws a status error (UNAVAILABLE, RESOURCE_EXHAUSTED, INVALID_ARGUMENT,
   * UNAUTHENTICATED, …) once the provider's retries are used up. Aborting `signal` ends the call and its socket.
   */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<StreamPart>;
}

/** A provider: the language model of a name, as the provider's own API names it. */
export type ModelProvider = (model: string) => LanguageModel;

/** Options of one call. */
export interface StreamOptions {
  readonly signal: AbortSignal;
  /**
   * Whether text arrives while the model writes it. Default true. False requests one whole response, which costs a fraction
   * of the work, and yields all parts at its end.
   */
  readonly streaming?: boolean;
}

/** What is configured. */
export interface ModelsStatus {
  /** The label shown in the banner: the model of an app that names none; "" without a default model. */
  readonly defaultModel: string;
  /** One entry per configured provider: its name and where its key came from (never the key). */
  readonly providers: readonly { readonly name: string; readonly keySource: string }[];
}

/** All configured models. */
export interface Models {
  /**
   * The model for an app's `ModelSettings.model` ("" = the default). Without a configured provider, the first local model.
   * Throws FAILED_PRECONDITION when nothing answers to the name.
   */
  resolve(modelName: string): LanguageModel;
  status(): ModelsStatus;
  close(): Promise<void>;
}

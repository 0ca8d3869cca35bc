import type { JsonObject } from "#base";

/**
 * The part of the AI SDK provider interface that is used here, versions 2 to 4 in one: a package of theirs fits this shape
 * without either side depending on the other.
 */
export interface AiSdkLanguageModel {
  /** `v2`, `v3`, `v4`. */
  readonly specificationVersion: string;
  doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<AiSdkStreamPart> }>;
  doGenerate(options: AiSdkCallOptions): PromiseLike<AiSdkGenerateResult>;
}

export interface AiSdkCallOptions {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[];
  readonly toolChoice?: { readonly type: "auto" };
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Version 4. */
  readonly reasoning?: "minimal" | "low" | "medium" | "high";
  readonly responseFormat?: { readonly type: "json"; readonly schema: JsonObject };
  readonly abortSignal: AbortSignal;
}

/** Opaque to us: comes with a part and goes back with it. */
export type ProviderMetadata = JsonObject;

export interface AiSdkToolCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON text. */
  readonly input: string;
  readonly providerExecuted?: boolean;
  readonly providerMetadata?: ProviderMetadata;
}

/** Parts that are read; all other types are passed over. */
export type AiSdkStreamPart =
  | { readonly type: "text-delta"; readonly delta: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly type: "text-end"; readonly providerMetadata?: ProviderMetadata }
  | { readonly type: "reasoning-delta"; readonly delta: string }
  | AiSdkToolCall
  | { readonly type: "error"; readonly error: unknown }
  | AiSdkFinish;

interface AiSdkFinish {
  readonly type: "finish";
  readonly finishReason: AiSdkFinishReason;
  readonly usage: AiSdkUsage;
}

export interface AiSdkGenerateResult {
  readonly content: readonly (AiSdkToolCall | AiSdkText | AiSdkReasoning)[];
  readonly finishReason: AiSdkFinishReason;
  readonly usage: AiSdkUsage;
}

export interface AiSdkText {
  readonly type: "text";
  readonly text: string;
  readonly providerMetadata?: ProviderMetadata;
}

export interface AiSdkReasoning {
  readonly type: "reasoning";
  readonly text: string;
}

/** Version 2 has the word alone; later ones the provider's own beside it. */
export type AiSdkFinishReason = string | { readonly unified: string; readonly raw?: string | undefined };

/** Version 2 counts flat, later ones in two objects. */
export interface AiSdkUsage {
  readonly inputTokens?: number | { readonly total?: number; readonly cacheRead?: number };
  readonly outputTokens?: number | { readonly total?: number; readonly reasoning?: number };
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
}

/** What a factory of theirs returns: callable, and with a method of the same meaning. */
export interface AiSdkProvider {
  languageModel?(model: string): AiSdkLanguageModel;
}

/** What `APICallError` of theirs carries. */
export interface AiSdkCallError extends Error {
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

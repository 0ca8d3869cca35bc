import type { JsonObject } from "#base";
import { type BreakerPolicy, DEFAULT_BREAKER } from "./circuit-breaker.ts";
import type { ProxyConfig, Timeouts } from "./http/http-client.ts";
import type { RetryPolicy } from "./retry.ts";

/** How models are resolved and called. Made by `modelsConfigFrom`, or literally in a test. */
export interface ModelsConfig {
  /** In the order they were configured; the usual model of the first is the default where `defaultModel` is "". */
  readonly providers: readonly ProviderConfig[];
  /** The model of an app that names none, or one whose provider is not configured. "" = the first provider's usual model. */
  readonly defaultModel: string;
  /** From a name as the app writes it, `*` standing for anything, to the model to run: `{"gemini-*": "ollama/llama3"}`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Models that answer in the place of one that does not, each `provider/model`: in this order, or those after it for one that is in the list. */
  readonly fallbacks: readonly string[];
  readonly breaker: BreakerPolicy;
  readonly retries: RetryPolicy;
  readonly timeouts: Timeouts;
  readonly proxy?: ProxyConfig | undefined;
}

/** One provider, by the wire that it speaks. */
export type ProviderConfig =
  | GeminiProviderConfig
  | OpenAiProviderConfig
  | AnthropicProviderConfig
  | AiSdkProviderConfig;

interface ProviderBasics {
  /** The name in front of the slash of `provider/model`. */
  readonly name: string;
  /** Where the key came from, as the banner shows it: an environment variable's name, `configuration file`, `none`. */
  readonly keySource: string;
}

interface HttpProviderBasics extends ProviderBasics {
  /** Headers of every call, e.g. those that a gateway requires. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Gemini, by key from the Gemini API or by Google Cloud credentials from Vertex AI. */
export interface GeminiProviderConfig extends HttpProviderBasics {
  readonly kind: "gemini";
  /** "" = Google's own. */
  readonly baseUrl: string;
  readonly access:
    | { readonly kind: "api-key"; readonly apiKey: string }
    | { readonly kind: "vertex"; readonly project: string; readonly location: string };
}

/** Anything that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, llama.cpp, gateways. */
export interface OpenAiProviderConfig extends HttpProviderBasics {
  readonly kind: "openai";
  /** Up to and including the version, e.g. `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** "" = the server requires none. */
  readonly apiKey: string;
}

/** Anything that speaks Anthropic's messages. */
export interface AnthropicProviderConfig extends HttpProviderBasics {
  readonly kind: "anthropic";
  /** Without the version, e.g. `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** A package of the AI SDK that the operator installed. */
export interface AiSdkProviderConfig extends ProviderBasics {
  readonly kind: "ai-sdk";
  /** What to import: a package, a `file:` URL or an absolute path. */
  readonly module: string;
  /** The export that makes the provider, e.g. `createMistral`. */
  readonly factory: string;
  /** What it is called with; the key is `apiKey` there, as every such package has it. */
  readonly options: JsonObject;
}

/** Three calls in all, half a second and then a second apart: an end user is waiting. */
export const DEFAULT_RETRIES: RetryPolicy = { attempts: 3, baseDelayMs: 500, maxDelayMs: 10_000 };

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 300_000 };

/** Nothing configured: a local model answers, where the program registers one. */
export const NO_MODELS: ModelsConfig = {
  providers: [],
  defaultModel: "",
  aliases: {},
  fallbacks: [],
  breaker: DEFAULT_BREAKER,
  retries: DEFAULT_RETRIES,
  timeouts: DEFAULT_TIMEOUTS,
};

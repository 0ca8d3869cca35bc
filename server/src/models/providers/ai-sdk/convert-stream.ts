import { definedFields } from "#base";
import type { FinishReason, StreamPart, Usage } from "../../contract.ts";
import { type FunctionNames, readArgs } from "../shared/function-calls.ts";
import { markSignature } from "../shared/thought-signature.ts";
import { METADATA } from "./convert-prompt.ts";
import type {
  AiSdkFinishReason,
  AiSdkGenerateResult,
  AiSdkReasoning,
  AiSdkStreamPart,
  AiSdkText,
  AiSdkToolCall,
  AiSdkUsage,
  ProviderMetadata,
} from "./provider-interface.ts";

/** Reads one answer of a provider's model: its stream part by part, or its whole result. */
export class AiSdkResponseReader {
  readonly #names: FunctionNames;
  readonly #thoughts: boolean;
  /** Calls whose arguments cannot be read: the limit of tokens may have cut them off. */
  readonly #unreadable: StreamPart[] = [];
  #finished = false;

  /** With `thoughts`, yields what the model shows of its thoughts. */
  constructor(names: FunctionNames, thoughts: boolean) {
    this.#names = names;
    this.#thoughts = thoughts;
  }

  /** Appends the content of a part to `parts`. Throws the error of an error part. */
  read(part: AiSdkStreamPart | AiSdkText | AiSdkReasoning, parts: StreamPart[]): void {
    switch (part.type) {
      case "text-delta":
        this.#text(part.delta, part.providerMetadata, parts);
        break;
      case "text-end":
        this.#text("", part.providerMetadata, parts);
        break;
      case "text":
        this.#text(part.text, part.providerMetadata, parts);
        break;
      case "tool-call":
        // The provider ran the tool itself, e.g. its own web search.
        if (part.providerExecuted !== true) this.#call(part, parts);
        break;
      case "reasoning-delta":
        this.#thought(part.delta, parts);
        break;
      case "reasoning":
        this.#thought(part.text, parts);
        break;
      case "error":
        throw part.error;
      case "finish":
        this.#finish(part.finishReason, part.usage, parts);
        break;
      default: // Sources, files: not part of the answer. Input deltas: repeated in the whole tool call.
    }
  }

  /** Appends the content of a whole result. */
  whole({ content, finishReason, usage }: AiSdkGenerateResult, parts: StreamPart[]): void {
    for (const part of content) this.read(part, parts);
    this.#finish(finishReason, usage, parts);
  }

  /** Ends the stream; one without a finish part ends as `other`. */
  end(parts: StreamPart[]): void {
    if (!this.#finished) this.#finish("", {}, parts);
  }

  #text(text: string, metadata: ProviderMetadata | undefined, parts: StreamPart[]): void {
    const signature = toSignature(metadata);
    if (text !== "" || signature.signature !== undefined) parts.push({ kind: "text-delta", text, ...signature });
  }

  #thought(text: string, parts: StreamPart[]): void {
    if (this.#thoughts && text !== "") parts.push({ kind: "thought-delta", text });
  }

  #call({ toolCallId: id, toolName, input, providerMetadata }: AiSdkToolCall, parts: StreamPart[]): void {
    const name = this.#names.fromProvider(toolName);
    const read = readArgs(input);
    const to = read.unreadableArgs === undefined ? parts : this.#unreadable;
    to.push({ kind: "function-call", id, name, ...read, ...toSignature(providerMetadata) });
  }

  #finish(finishReason: AiSdkFinishReason, usage: AiSdkUsage, parts: StreamPart[]): void {
    this.#finished = true;
    const mapped = mapFinishReason(finishReason);
    if (mapped.reason !== "length") parts.push(...this.#unreadable);
    parts.push({ kind: "finish", ...mapped, usage: toUsage(usage) });
  }
}

function toSignature(metadata: ProviderMetadata | undefined): { readonly signature?: string } {
  return metadata === undefined ? {} : { signature: markSignature(METADATA, JSON.stringify(metadata)) };
}

function toUsage({ inputTokens, outputTokens, reasoningTokens, cachedInputTokens }: AiSdkUsage): Usage {
  const [input, cached] =
    typeof inputTokens === "object" ? [inputTokens.total, inputTokens.cacheRead] : [inputTokens, cachedInputTokens];
  const [output, thoughts] =
    typeof outputTokens === "object" ? [outputTokens.total, outputTokens.reasoning] : [outputTokens, reasoningTokens];
  return {
    ...definedFields({ inputTokens: input, outputTokens: output, thoughtTokens: thoughts, cachedTokens: cached }),
  };
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool-calls",
  "content-filter": "safety",
};

/** Maps the provider interface's finish reason; `rawReason` is the provider's own. */
function mapFinishReason(reason: AiSdkFinishReason): {
  readonly reason: FinishReason;
  readonly rawReason: string;
} {
  const unified = typeof reason === "string" ? reason : reason.unified;
  const raw = typeof reason === "string" ? reason : (reason.raw ?? reason.unified);
  return { reason: REASONS[unified] ?? "other", rawReason: raw };
}

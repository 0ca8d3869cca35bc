import type { StreamPart, Usage } from "../../contract.ts";
import { parseArgs } from "../../parse-args.ts";
import { markSignature } from "../../thought-signature.ts";
import { METADATA } from "./convert-prompt.ts";
import { mapFinishReason } from "./map-finish-reason.ts";
import type {
  AiSdkFinishReason,
  AiSdkGenerateResult,
  AiSdkStreamPart,
  AiSdkText,
  AiSdkToolCall,
  AiSdkUsage,
  ProviderMetadata,
} from "./provider-interface.ts";

/** Reads one answer of a provider's model: its stream part by part, or its whole result. */
export class AiSdkAnswerReader {
  #broken = "";
  #finished = false;

  /** Appends what a part says to `parts`. Throws the error that an error part carries. */
  read(part: AiSdkStreamPart | AiSdkText, parts: StreamPart[]): void {
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
        // The provider ran it itself, e.g. its own web search: nothing for us to do.
        if (part.providerExecuted !== true) this.#call(part, parts);
        break;
      case "error":
        throw part.error;
      case "finish":
        this.#finish(part.finishReason, part.usage, parts);
        break;
      default: // Reasoning, sources, files, input deltas: not part of the answer, or said again whole.
    }
  }

  /** Appends all that a whole result says. */
  whole({ content, finishReason, usage }: AiSdkGenerateResult, parts: StreamPart[]): void {
    for (const part of content) this.read(part, parts);
    this.#finish(finishReason, usage, parts);
  }

  /** The stream is over; one that did not say how it finished ends as `other`. */
  end(parts: StreamPart[]): void {
    if (!this.#finished) this.#finish("", {}, parts);
  }

  #text(text: string, metadata: ProviderMetadata | undefined, parts: StreamPart[]): void {
    const signature = toSignature(metadata);
    if (text !== "" || signature.signature !== undefined) parts.push({ kind: "text-delta", text, ...signature });
  }

  #call({ toolCallId: id, toolName: name, input, providerMetadata }: AiSdkToolCall, parts: StreamPart[]): void {
    const args = parseArgs(input);
    if (args) parts.push({ kind: "function-call", id, name, args, ...toSignature(providerMetadata) });
    else this.#broken = `arguments of ${name} are not a JSON object: ${input.slice(0, 200)}`;
  }

  #finish(finishReason: AiSdkFinishReason, usage: AiSdkUsage, parts: StreamPart[]): void {
    this.#finished = true;
    const mapped = mapFinishReason(finishReason);
    const broken = this.#broken !== "" && mapped.reason !== "length";
    parts.push({
      kind: "finish",
      reason: broken ? "malformed" : mapped.reason,
      rawReason: broken ? this.#broken : mapped.rawReason,
      usage: toUsage(usage),
    });
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
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(thoughts !== undefined && { thoughtTokens: thoughts }),
    ...(cached !== undefined && { cachedTokens: cached }),
  };
}

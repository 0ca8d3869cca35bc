import { definedFields, type JsonObject, unreachable } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "../../contract.ts";
import type { FunctionNames } from "../shared/function-calls.ts";
import { ownSignature } from "../shared/thought-signature.ts";
import type { AiSdkCallOptions } from "./provider-interface.ts";

/** Marks a part's `providerMetadata`, which goes back as its `providerOptions`. */
export const METADATA = "ai-sdk";

/** The model that a prompt is written for. */
interface PromptTarget {
  /** Of the provider interface: `v2`, `v3`, `v4`. */
  readonly version: string;
  readonly names: FunctionNames;
}

/** The options of `doStream` and `doGenerate`. Source: `LanguageModelV2CallOptions` to `LanguageModelV4CallOptions`. */
export function toCallOptions(request: ModelRequest, target: PromptTarget, abortSignal: AbortSignal): AiSdkCallOptions {
  const { system, messages, tools, temperature, maxOutputTokens, thinkingLevel, responseSchema } = request;
  const reasoning = /^v[23]$/.test(target.version) ? undefined : thinkingLevel;
  return {
    prompt: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...messages.flatMap((message) => toMessages(message, target)),
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function",
        name: target.names.toProvider(name),
        description: target.names.describe({ name, description }),
        inputSchema: parameters,
      })),
      toolChoice: { type: "auto" },
    }),
    ...definedFields({ temperature, maxOutputTokens, reasoning }),
    ...(responseSchema && { responseFormat: { type: "json", schema: responseSchema } }),
    abortSignal,
  };
}

function toMessages({ role, parts }: ModelMessage, target: PromptTarget): object[] {
  const results = parts.filter((part) => part.kind === "function-response");
  const content = parts.filter((part) => part.kind !== "function-response" && !isEmptyText(part));
  return [
    ...(results.length > 0 ? [{ role: "tool", content: results.map((part) => toPart(part, target)) }] : []),
    ...(content.length > 0
      ? [{ role: role === "model" ? "assistant" : "user", content: content.map((part) => toPart(part, target)) }]
      : []),
  ];
}

function isEmptyText(part: ModelPart): boolean {
  return part.kind === "text" && part.text === "" && part.signature === undefined;
}

function toPart(part: ModelPart, { version, names }: PromptTarget): object {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text, ...providerOptions(part.signature) };
    case "blob": {
      // Version 4 tags the kind of the data; earlier versions take the bytes alone.
      const data = version === "v2" || version === "v3" ? part.data : { type: "data", data: part.data };
      return { type: "file", mediaType: part.mimeType, data };
    }
    case "function-call": {
      const { id, name, args } = part;
      return {
        type: "tool-call",
        toolCallId: id,
        toolName: names.toProvider(name),
        input: args,
        ...providerOptions(part.signature),
      };
    }
    case "function-response": {
      const output = { type: "json", value: part.response };
      return { type: "tool-result", toolCallId: part.id, toolName: names.toProvider(part.name), output };
    }
    default:
      return unreachable(part);
  }
}

function providerOptions(signature: string | undefined): { readonly providerOptions?: JsonObject } {
  const metadata = ownSignature(METADATA, signature);
  // Written by our own reader of the stream, hence an object.
  return metadata === undefined ? {} : { providerOptions: JSON.parse(metadata) as JsonObject };
}

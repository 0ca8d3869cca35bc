import { type JsonObject, unreachable } from "#base";
import type { FunctionDeclaration, ModelMessage, ModelPart, ModelRequest } from "../../contract.ts";
import { toBase64 } from "../shared/blobs.ts";
import type { FunctionNames } from "../shared/function-calls.ts";
import { isOwnCallId } from "../shared/function-calls.ts";
import { bareSignature } from "../shared/thought-signature.ts";

/** What differs between the places that serve Gemini and between its generations. */
export interface GeminiDialect {
  /** Vertex AI rejects `id` in calls and responses as an unknown field; the Gemini API matches them by it. */
  readonly callIds: boolean;
  /** Gemini 3 and later reject a function call of their own without its thought signature. */
  readonly signaturesRequired: boolean;
  /** The names of the request's functions. */
  readonly names: FunctionNames;
  /** A `ThinkingConfig`. */
  readonly thinking?: JsonObject | undefined;
}

/** Google's documented stand-in for calls that the model did not make itself: injected, imported, or another model's. */
const NO_SIGNATURE = "skip_thought_signature_validator";

/** A `GenerateContentRequest`, as JSON text. Source: google/ai/generativelanguage/v1beta/generative_service.proto. */
export function toGenerateContentRequest(request: ModelRequest, dialect: GeminiDialect): string {
  return JSON.stringify({
    systemInstruction: request.system === "" ? undefined : { parts: [{ text: request.system }] },
    contents: toContents(request.messages, dialect),
    tools:
      request.tools.length === 0
        ? undefined
        : [{ functionDeclarations: request.tools.map((tool) => toDeclaration(tool, dialect)) }],
    safetySettings: request.safetySettings,
    generationConfig: {
      temperature: request.temperature,
      maxOutputTokens: request.maxOutputTokens,
      thinkingConfig: dialect.thinking,
      ...(request.responseSchema && {
        responseMimeType: "application/json",
        responseJsonSchema: request.responseSchema,
      }),
    },
  });
}

function toDeclaration({ name, description, parameters }: FunctionDeclaration, { names }: GeminiDialect): object {
  const { properties } = parameters;
  // An object schema without properties is rejected; the proto allows the field to be unset.
  const hasParameters = typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
  return {
    name: names.toProvider(name),
    description: names.describe({ name, description }),
    parametersJsonSchema: hasParameters ? parameters : undefined,
  };
}

function toContents(messages: readonly ModelMessage[], dialect: GeminiDialect): object[] {
  return messages.flatMap(({ role, parts }) => {
    const converted = toParts(parts, role === "model" && dialect.signaturesRequired, dialect);
    return converted.length === 0 ? [] : [{ role, parts: converted }];
  });
}

/** Of parallel calls only the first carries a signature, so only the first needs the stand-in. */
function toParts(parts: readonly ModelPart[], standIn: boolean, dialect: GeminiDialect): object[] {
  let missing = standIn;
  return parts.flatMap((part): object[] => {
    if (part.kind !== "function-call") return toPart(part, dialect);
    const signature = bareSignature(part.signature) ?? (missing ? NO_SIGNATURE : undefined);
    missing = false;
    return [
      {
        functionCall: { ...callId(part.id, dialect), name: dialect.names.toProvider(part.name), args: part.args },
        thoughtSignature: signature,
      },
    ];
  });
}

function toPart(part: Exclude<ModelPart, { kind: "function-call" }>, dialect: GeminiDialect): object[] {
  switch (part.kind) {
    case "text": {
      const thoughtSignature = bareSignature(part.signature);
      // An empty text is rejected, unless it is there to carry a signature.
      return part.text === "" && thoughtSignature === undefined ? [] : [{ text: part.text, thoughtSignature }];
    }
    case "blob":
      return [{ inlineData: { mimeType: part.mimeType, data: toBase64(part.data) } }];
    case "function-response":
      return [
        {
          functionResponse: {
            ...callId(part.id, dialect),
            name: dialect.names.toProvider(part.name),
            response: part.response,
          },
        },
      ];
    default:
      return unreachable(part);
  }
}

function callId(id: string, { callIds }: GeminiDialect): { id?: string } {
  return callIds && !isOwnCallId(id) ? { id } : {};
}

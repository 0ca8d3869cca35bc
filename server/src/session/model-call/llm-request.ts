import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ModelRequest } from "#models";
import { fromPythonContent, fromPythonContents, restoreSignatures, toPythonContent } from "./python-content.ts";

/** A model request with the model that gets it. */
export interface AddressedRequest {
  /** As `ModelSettings.model` names it; "" = the server's default. */
  readonly model: string;
  readonly request: ModelRequest;
}

/** The request as the guest's `LlmRequest` reads it. */
export function toLlmRequest({ model, request }: AddressedRequest): JsonObject {
  return {
    model,
    contents: request.messages.map(({ role, parts }) => toPythonContent(role, parts)),
    config: {
      system_instruction: toPythonContent("user", [{ kind: "text", text: request.system }]),
      tools: [{ function_declarations: request.tools.map(({ name }) => ({ name })) }],
      excluded_tools: [],
    },
  };
}

/** Takes over what a callback changed in place: contents, system instruction, tools shown and hidden, model. */
export function applyLlmRequest({ model, request }: AddressedRequest, edited: JsonValue): AddressedRequest {
  if (!isJsonObject(edited)) return { model, request };
  const config = isJsonObject(edited.config) ? edited.config : {};
  const originals = request.messages.flatMap(({ parts }) => parts);
  return {
    model: typeof edited.model === "string" ? edited.model : model,
    request: {
      ...request,
      system: systemText(config.system_instruction),
      messages: fromPythonContents(edited.contents).map(({ role, parts }) => ({
        role,
        parts: restoreSignatures(parts, originals),
      })),
      tools: shownTools(request.tools, config),
    },
  };
}

/** An object with parts in current builds; plain text is taken too (CB-13). */
function systemText(instruction: JsonValue | undefined): string {
  if (typeof instruction === "string") return instruction;
  const parts = fromPythonContent(instruction);
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
}

/** `excluded_tools` wins over `tools`; no `tools` at all means none were touched. */
function shownTools(tools: ModelRequest["tools"], config: JsonObject): ModelRequest["tools"] {
  const excluded = new Set(Array.isArray(config.excluded_tools) ? config.excluded_tools : []);
  const shown = Array.isArray(config.tools) ? new Set(config.tools.flatMap(declaredNames)) : undefined;
  return tools.filter(({ name }) => !excluded.has(name) && (!shown || shown.has(name)));
}

function declaredNames(declaration: JsonValue): readonly JsonValue[] {
  const functions = isJsonObject(declaration) ? declaration.function_declarations : undefined;
  if (!Array.isArray(functions)) return [];
  return functions.flatMap((entry) => (isJsonObject(entry) && entry.name !== undefined ? [entry.name] : []));
}

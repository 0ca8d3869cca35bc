import { definedFields, isJsonObject, type JsonObject, type JsonValue, matchingNames, textOrEmpty } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "#models";
import type { PythonArgument } from "#sandbox";

/** A part as the guest's `Part` reads it: snake_case, bytes in base64. */
export function toPythonPart(part: ModelPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "blob":
      return { inline_data: { mime_type: part.mimeType, data: Buffer.from(part.data).toString("base64") } };
    case "function-call":
      return { function_call: { id: part.id, name: part.name, args: part.args } };
    case "function-response":
      return { function_response: { id: part.id, name: part.name, response: part.response } };
  }
}

/** What a user said by voice (PY-12): sound that is stored nowhere, with what was recognised. */
export function transcriptPart(transcript: string): JsonObject {
  return { inline_data: { mime_type: "audio/pcm", transcript } };
}

/** A `Content`. */
function toPythonContent(role: string, parts: readonly ModelPart[]): JsonObject {
  return { role, parts: parts.map(toPythonPart) };
}

/** The parts of a `Content`, in order; other parts are left out. */
function fromPythonContent(content: JsonValue | undefined): readonly ModelPart[] {
  const parts = isJsonObject(content) ? content.parts : undefined;
  return Array.isArray(parts) ? parts.flatMap(fromPythonPart) : [];
}

/** The messages of an edited `LlmRequest.contents`, in which `[from, to]` stands for messages that are as they were. */
function fromPythonContents(
  contents: JsonValue | undefined,
  originals: readonly ModelMessage[],
): readonly ModelMessage[] {
  if (!Array.isArray(contents)) return [];
  let hidden: HiddenParts | undefined; // looking through all messages is for those that were edited
  return contents.flatMap((content): readonly ModelMessage[] => {
    if (Array.isArray(content)) return originals.slice(Number(content[0]), Number(content[1]));
    const parts = fromPythonContent(content);
    if (parts.length === 0) return [];
    hidden ??= hiddenOf(originals.flatMap((message) => message.parts));
    return [
      { role: isJsonObject(content) && content.role === "user" ? "user" : "model", parts: withHidden(parts, hidden) },
    ];
  });
}

/** A `Part`, or a dict in its place, whose keys may be in camelCase as in what the API sends. */
function fromPythonPart(part: JsonValue): readonly ModelPart[] {
  if (!isJsonObject(part)) return [];
  const { text } = part;
  const inline_data = part.inline_data ?? part.inlineData;
  const function_call = part.function_call ?? part.functionCall;
  const function_response = part.function_response ?? part.functionResponse;
  if (typeof text === "string") return [{ kind: "text", text }];
  if (isJsonObject(function_call)) {
    const { id, name, args } = function_call;
    return [
      { kind: "function-call", id: textOrEmpty(id), name: textOrEmpty(name), args: isJsonObject(args) ? args : {} },
    ];
  }
  if (isJsonObject(function_response)) {
    const { id, name, response } = function_response;
    return [
      {
        kind: "function-response",
        id: textOrEmpty(id),
        name: textOrEmpty(name),
        response: isJsonObject(response) ? response : {},
      },
    ];
  }
  if (isJsonObject(inline_data)) {
    const { data, transcript } = inline_data;
    const mimeType = textOrEmpty(inline_data.mime_type ?? inline_data.mimeType);
    if (typeof transcript === "string" && textOrEmpty(data) === "") return [{ kind: "text", text: transcript }];
    return [{ kind: "blob", mimeType, data: Buffer.from(textOrEmpty(data), "base64") }];
  }
  return [];
}

/**
 * Puts back what Python does not know of parts that went through it: thought signatures, arguments that cannot be read, and the parts that a text presents. Calls are
 * found by id, text by its words.
 */
export function restoreHidden(parts: readonly ModelPart[], originals: readonly ModelPart[]): readonly ModelPart[] {
  return withHidden(parts, hiddenOf(originals));
}

/** Parts of which Python does not know everything, by what it knows. */
type HiddenParts = ReadonlyMap<string, ModelPart>;

function hiddenOf(originals: readonly ModelPart[]): HiddenParts {
  return new Map(originals.flatMap((part) => (hasHidden(part) ? [[keyOf(part), part] as const] : [])).reverse());
}

function withHidden(parts: readonly ModelPart[], hidden: HiddenParts): readonly ModelPart[] {
  return hidden.size === 0 ? parts : parts.map((part) => restorePart(part, hidden));
}

function hasHidden(part: ModelPart): boolean {
  if (part.kind === "text") return part.signature !== undefined || part.presents !== undefined;
  return part.kind === "function-call" && (part.signature !== undefined || part.unreadableArgs !== undefined);
}

function restorePart(part: ModelPart, hidden: HiddenParts): ModelPart {
  const original = hidden.get(keyOf(part));
  if (part.kind === "text" && original?.kind === "text") return original;
  if (part.kind !== "function-call" || original?.kind !== "function-call") return part;
  // Code may have written the arguments that the model should have.
  const unreadableArgs = Object.keys(part.args).length === 0 ? original.unreadableArgs : undefined;
  return { ...part, ...definedFields({ signature: original.signature, unreadableArgs }) };
}

/** Equal for parts that are the same before and after Python. */
function keyOf(part: ModelPart): string {
  if (part.kind === "text") return `text ${part.text}`;
  return part.kind === "function-call" ? `call ${part.id} ${part.name}` : part.kind;
}

/** A model request with the model that gets it. */
export interface AddressedRequest {
  /** As `ModelSettings.model` names it; "" = the server's default. */
  readonly model: string;
  /** The model that answers to this name, as its provider calls it: what code sees. */
  readonly modelName: (model: string) => string;
  readonly request: ModelRequest;
}

/** The request as the guest's `LlmRequest` reads it. Of the messages only those are converted that code looks at. */
export function toLlmRequest({ model, modelName, request }: AddressedRequest): PythonArgument {
  const value = {
    model: modelName(model),
    config: {
      system_instruction: toPythonContent("user", [{ kind: "text", text: request.system }]),
      tools: [{ function_declarations: request.tools.map(({ name }) => ({ name })) }],
      excluded_tools: [],
    },
  };
  const { messages } = request;
  return {
    kind: "llm-request",
    value,
    contents: { length: messages.length, at: (index) => contentOf(messages[index]) },
  };
}

/** Messages of past turns do not change, so each is converted, and written as JSON, once. */
const contentOfMessage = new WeakMap<ModelMessage, JsonObject>();

function contentOf(message: ModelMessage | undefined): JsonObject | undefined {
  if (!message) return undefined;
  const known = contentOfMessage.get(message);
  if (known) return known;
  const content = toPythonContent(message.role, message.parts);
  contentOfMessage.set(message, content);
  return content;
}

/** Takes over what a callback changed in place: contents, system instruction, tools shown and hidden, model. */
export function applyLlmRequest(addressed: AddressedRequest, edited: JsonValue): AddressedRequest {
  if (!isJsonObject(edited)) return addressed;
  const { model, modelName, request } = addressed;
  const config = isJsonObject(edited.config) ? edited.config : {};
  return {
    model: typeof edited.model === "string" && edited.model !== modelName(model) ? edited.model : model,
    modelName,
    request: {
      ...request,
      system: systemText(config.system_instruction),
      messages: fromPythonContents(edited.contents, request.messages),
      tools: shownTools(request.tools, config),
    },
  };
}

/** An object with parts in current builds; plain text is accepted too (CB-13). */
function systemText(instruction: JsonValue | undefined): string {
  if (typeof instruction === "string") return instruction;
  const parts = fromPythonContent(instruction);
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
}

/** `excluded_tools` wins over `tools`; no `tools` at all means none were touched. */
function shownTools(tools: ModelRequest["tools"], config: JsonObject): ModelRequest["tools"] {
  const known = new Set(tools.map(({ name }) => name));
  const excluded = namesMeant(Array.isArray(config.excluded_tools) ? config.excluded_tools : [], known);
  const shown = Array.isArray(config.tools) ? namesMeant(config.tools.flatMap(declaredNames), known) : undefined;
  return tools.filter(({ name }) => !excluded.has(name) && (!shown || shown.has(name)));
}

/** Names that code wrote, as the tools are named (TSET-12). */
function namesMeant(names: readonly JsonValue[], known: ReadonlySet<string>): ReadonlySet<JsonValue> {
  return new Set(
    names.flatMap((name) => {
      if (typeof name !== "string" || known.has(name)) return [name];
      const [only, another] = matchingNames(name, [...known]);
      return only !== undefined && another === undefined ? [only] : [name];
    }),
  );
}

function declaredNames(declaration: JsonValue): readonly JsonValue[] {
  const functions = isJsonObject(declaration) ? declaration.function_declarations : undefined;
  if (!Array.isArray(functions)) return [];
  return functions.flatMap((entry) => (isJsonObject(entry) && entry.name !== undefined ? [entry.name] : []));
}

/** What a model, or a callback in its place, answered. */
export interface ModelOutput {
  readonly parts: readonly ModelPart[];
  /** From a callback: send this now, and go on with the model call (CB-12). */
  readonly partial: boolean;
}

/** The output as the guest's `LlmResponse` reads it. */
export function toLlmResponse(output: ModelOutput): JsonObject {
  return { content: toPythonContent("model", output.parts), partial: output.partial, turn_complete: !output.partial };
}

/**
 * A value that a model callback returned (CB-8). `LlmResponse` is the documented type; a `Content`, or a dict of either shape, is
 * common in the wild and means the same.
 */
export function fromLlmResponse(value: JsonValue, returnType: string): ModelOutput | undefined {
  if (!isJsonObject(value)) return undefined;
  if (returnType === "LlmResponse" || isJsonObject(value.content)) {
    return { parts: fromPythonContent(value.content), partial: value.partial === true };
  }
  return returnType === "Content" || Array.isArray(value.parts)
    ? { parts: fromPythonContent(value), partial: false }
    : undefined;
}

/** A value that an agent callback returned: a `Content`, or an object that has one. */
export function fromContent(value: JsonValue, returnType: string): readonly ModelPart[] | undefined {
  return fromLlmResponse(value, returnType)?.parts;
}

/** The text of an output. */
export function textOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("");
}

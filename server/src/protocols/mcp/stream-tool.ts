import type { Message } from "@bufbuild/protobuf";
import type { JsonObject, JsonValue } from "#base";
import type { RegisteredMethod, Registry } from "#rpc";
import { kindOf, ownAnnotations } from "./annotations.ts";
import { describeTool } from "./describe.ts";
import { inputSchema } from "./input-schema.ts";
import type { MethodCalls } from "./method-calls.ts";
import { EXTENSION } from "./method-tool.ts";
import type { NameFormats } from "./resource-patterns.ts";
import type { Tool } from "./tool.ts";
import { resultText } from "./tool-result.ts";

interface StreamToolDeps {
  readonly registry: Registry;
  readonly calls: MethodCalls;
  readonly formats: NameFormats;
}

/**
 * A method that streams its response (`Chat`) as a tool with one result: the list of all messages. Each message is reported as
 * progress.
 */
export function createChatTool(name: string, method: RegisteredMethod, deps: StreamToolDeps): Tool {
  const { registry, calls, formats } = deps;
  return {
    name,
    kind: kindOf(name),
    hosted: false,
    methods: [method],
    listing: ({ outputs }) => ({
      name,
      description: describeTool(name, method.internalMethod, formats),
      inputSchema: inputSchema(method.internalMethod.input, formats),
      ...(outputs && { outputSchema: OUTPUT }),
      annotations: ownAnnotations(name),
      ...EXTENSION,
    }),
    call: async (args, { context, progress, dryRun }) => {
      const request = calls.read(method, args);
      if (dryRun)
        return resultText({
          json: { messages: [] },
          texts: ["Dry run: nothing was changed. The arguments are valid."],
        });
      const messages: JsonValue[] = [];
      for await (const message of registry.stream(method, request, context)) {
        messages.push(calls.render(method, message));
        progress?.(progressText(method, message, calls) || `${messages.length} messages so far.`);
      }
      const texts = messages.map((message) => textsIn(message, "answers")).filter((text) => text !== "");
      return resultText({ json: { messages }, texts: texts.length > 0 ? [texts.join("\n\n")] : [] });
    },
  };
}

const OUTPUT: JsonObject = { type: "object", properties: { messages: { type: "array", items: { type: "object" } } } };

function progressText(method: RegisteredMethod, message: Message, calls: MethodCalls): string {
  return textsIn(calls.render(method, message), "all").slice(0, 500);
}

/** All texts of a message: the lists named `parts`. `answers`: without thoughts and progress. */
function textsIn(value: JsonValue, which: "all" | "answers"): string {
  if (typeof value !== "object" || value === null) return "";
  const { parts, textType } = value as JsonObject;
  if (Array.isArray(parts)) {
    const isIntermediate = textType === "THOUGHT" || textType === "PROGRESS";
    return isIntermediate && which === "answers" ? "" : parts.filter((part) => typeof part === "string").join("\n");
  }
  const texts = Object.values(value).map((item) => textsIn(item, which));
  return texts.filter((text) => text !== "").join("\n");
}

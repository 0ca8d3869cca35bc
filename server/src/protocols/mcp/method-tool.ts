import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import type { RegisteredMethod } from "#rpc";
import { invalidArgument } from "#status";
import { selectionFrom } from "../fields/select-message.ts";
import { hostedAnnotations, kindOf, ownAnnotations } from "./annotations.ts";
import { describeTool } from "./describe.ts";
import { googleSchema } from "./google-schema.ts";
import { inputSchema } from "./input-schema.ts";
import type { MethodCalls } from "./method-calls.ts";
import { outputSchema } from "./output-schema.ts";
import type { NameFormats } from "./resource-patterns.ts";
import type { Tool, ToolCall, ToolResult } from "./tool.ts";
import { resultText } from "./tool-result.ts";
import { transcriptOf } from "./transcript.ts";
import { requireUpdateMask } from "./update-mask.ts";
import type { View } from "./view.ts";

interface MethodToolDeps {
  readonly calls: MethodCalls;
  readonly formats: NameFormats;
}

/** A registered method as a tool: schemas, annotations and description from its descriptor, the call through the registry. */
export function createMethodTool(
  name: string,
  method: RegisteredMethod,
  hosted: boolean,
  { calls, formats }: MethodToolDeps,
): Tool {
  const { internalMethod } = method;
  const kind = kindOf(name);
  return {
    name,
    kind,
    hosted,
    methods: [method],
    listing: (form) => ({
      name,
      description: describeTool(name, internalMethod, formats, form.schemas === "brief"),
      ...schemas(internalMethod, formats, form, levelsOf(name, hosted)),
      annotations: hosted ? hostedAnnotations(name) : ownAnnotations(name),
      ...(!hosted && EXTENSION),
    }),
    call: async (args, call) => {
      if (kind === "read") {
        const { select, others } = selectionIn(args, internalMethod);
        return resultText(await execute(method, calls.read(method, others), call, calls, select));
      }
      const request = calls.read(method, args);
      requireUpdateMask(internalMethod, request, args);
      return resultText(await (call.dryRun ? validate : execute)(method, request, call, calls));
    },
  };
}

/** The argument that cuts an answer to what a model has room for (MCP-17), and those of the request. It is no part of the schema, which has the hosted tool's. */
function selectionIn(args: JsonObject, { input, output }: Pick<DescMethod, "input" | "output">) {
  const { fields, ...others } = args;
  if (fields === undefined || input.fields.some(({ name }) => name === "fields")) return { others: args };
  if (typeof fields !== "string")
    throw invalidArgument({ field: "fields", description: "must be names separated by commas, e.g. name,displayName" });
  return { others, ...(fields !== "" && { select: selectionFrom(fields, output) }) };
}

/**
 * Levels of messages in the schema of arguments. Tools that only this server has leave room for the hosted ones, and the fields of an
 * update are in the schema of the create tool.
 */
function levelsOf(name: string, hosted: boolean): number {
  return hosted && !name.startsWith("update_") ? 4 : 3;
}

/** Marks tools that the hosted server does not have. */
export const EXTENSION: JsonObject = { _meta: { "frontdesk/extension": true } };

/** The schemas of a tool in the form of the view. */
function schemas(
  { input, output }: Pick<DescMethod, "input" | "output">,
  formats: NameFormats,
  form: Pick<View, "schemas" | "outputs">,
  levels: number,
): JsonObject {
  const google = form.schemas === "google";
  const options = { brief: form.schemas === "brief", levels };
  return {
    inputSchema: google ? googleSchema(input, formats, true) : inputSchema(input, formats, options),
    ...(form.outputs && { outputSchema: google ? googleSchema(output, formats, false) : outputSchema(output) }),
  };
}

/** Validates a call without executing it; a standard method returns the response that it would have. */
async function validate(
  method: RegisteredMethod,
  request: Message,
  call: ToolCall,
  calls: MethodCalls,
): Promise<ToolResult> {
  const response = await calls.check(method, request, call);
  const checked = method.supportsValidateOnly
    ? "The call is valid; the result shows what it would return."
    : "The arguments are valid.";
  return { json: calls.render(method, response), texts: [`Dry run: nothing was changed. ${checked}`] };
}

async function execute(
  method: RegisteredMethod,
  request: Message,
  call: ToolCall,
  calls: MethodCalls,
  select = (message: Message): Message => message,
): Promise<ToolResult> {
  const response = select(await calls.call(method, request, call));
  return { json: calls.render(method, response), texts: transcriptOf(response) };
}

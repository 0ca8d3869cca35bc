import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import type { RegisteredMethod } from "#rpc";
import { describeTool } from "./describe.ts";
import { googleSchema } from "./google-schema.ts";
import { hostedHints, kindOf, ownHints } from "./hints.ts";
import { inputSchema } from "./input-schema.ts";
import type { MethodCalls } from "./method-calls.ts";
import { outputSchema } from "./output-schema.ts";
import { readable } from "./readable.ts";
import type { NameFormats } from "./resource-patterns.ts";
import type { Answer, Tool, ToolCall } from "./tool.ts";
import { resultText } from "./tool-result.ts";
import { refuseMissingMask } from "./update-mask.ts";
import type { View } from "./view.ts";

export interface MethodToolDeps {
  readonly calls: MethodCalls;
  readonly formats: NameFormats;
}

/** A registered method as a tool: schemas, hints and description from its descriptor, the call through the registry. */
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
    listing: (form) => ({
      name,
      description: describeTool(name, internalMethod, formats, form.schemas === "brief"),
      ...schemas(internalMethod, formats, form, levelsOf(name, hosted)),
      annotations: hosted ? hostedHints(name) : ownHints(name),
      ...(!hosted && EXTENSION),
    }),
    call: async (args, call) => {
      const request = calls.read(method, args);
      refuseMissingMask(internalMethod, request, args);
      if (call.dryRun && kind !== "read") return resultText(await check(method, request, call, calls));
      return resultText(await answer(method, request, call, calls));
    },
  };
}

/**
 * How deep arguments are written out. What this server adds must leave room for what the hosted one has, and what an update takes is
 * written out where the same resource is created.
 */
function levelsOf(name: string, hosted: boolean): number {
  return hosted && !name.startsWith("update_") ? 4 : 3;
}

/** Marks what the hosted server does not have. */
export const EXTENSION: JsonObject = { _meta: { "frontdesk/extension": true } };

/** The schemas of a tool in the form that the address asks for. */
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

/** Everything of a call but what it does; what a standard method would answer is told. */
async function check(method: RegisteredMethod, request: Message, call: ToolCall, calls: MethodCalls): Promise<Answer> {
  const response = await calls.check(method, request, call);
  const checked = method.supportsValidateOnly
    ? "The call is sound; the answer shows what it would lead to."
    : "The arguments are sound.";
  return { json: calls.render(method, response), texts: [`Dry run: nothing was done. ${checked}`] };
}

async function answer(method: RegisteredMethod, request: Message, call: ToolCall, calls: MethodCalls): Promise<Answer> {
  const response = await calls.call(method, request, call);
  return { json: calls.render(method, response), texts: readable(response) };
}

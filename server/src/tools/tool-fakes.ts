import type { Tool } from "@frontdesk/protos/ces/tool";
import { collapseUnderscores, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ToolCall, ToolContext, ToolOutcome } from "./contract.ts";
import { failed } from "./outcomes.ts";
import { runUserCode, toFailedTool } from "./python/run-user-code.ts";
import type { KindDeps } from "./tool-kind.ts";
import { toolLimits } from "./tool-limits.ts";
import { toolName } from "./tool-name.ts";

/**
 * Runs a tool's fake instead of the tool when the session uses fakes and the tool has one enabled (TOOL-20, CB-18):
 * `fake_<tool id>(tool, input, callback_context)`, else `fake_tool_call` of the same shape. Undefined = call the real tool.
 */
export async function runFake(
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  deps: KindDeps,
): Promise<ToolOutcome | undefined> {
  const code = fakeCodeOf(tool, context);
  if (code === undefined) return undefined;
  const module = await deps.sandbox.inspect(code, { tenant: context.app });
  if (module.kind === "broken")
    return failed(`The fake of tool '${toolName(tool)}' does not load: ${module.type}: ${module.message}`);
  const spelled = [tool.name.slice(tool.name.lastIndexOf("/tools/") + "/tools/".length), toolName(tool)];
  const ids = [...spelled, ...spelled.map(collapseUnderscores)];
  // Ids of other systems may not be valid Python names.
  const names = [
    ...new Set(ids.flatMap((id) => [`fake_${id}`, `fake_${id.replaceAll(/\W/g, "_")}`])),
    "fake_tool_call",
  ];
  const entry = names.find((candidate) => module.functions.some(({ name }) => name === candidate));
  if (!entry) return failed(`The fake of tool '${toolName(tool)}' defines none of ${names.join(", ")}.`);
  return runEntry(code, entry, tool, call, context, deps);
}

function fakeCodeOf(tool: Tool, { useFakes }: ToolContext): string | undefined {
  const config = tool.toolFakeConfig;
  if (!useFakes || !config?.enableFakeMode || config.toolResponse.case !== "codeBlock") return undefined;
  return config.toolResponse.value.pythonCode;
}

async function runEntry(
  code: string,
  entry: string,
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  deps: KindDeps,
): Promise<ToolOutcome | undefined> {
  const outcome = await runUserCode(
    {
      code,
      filename: `tools/${toolName(tool)}/tool_fake_config/code_block/python_code.py`,
      entry,
      positional: [
        { kind: "tool", name: toolName(tool), description: descriptionOf(tool) },
        { kind: "json", value: call.args },
        { kind: "callback-context" },
      ],
      context,
      functionCallId: call.id,
      limits: toolLimits(tool),
    },
    deps,
  );
  if (outcome.kind === "failed") return { ...toFailedTool(outcome), faked: true };
  if (outcome.value === null) return undefined;
  const { value, durationMs, output, state, calls } = outcome;
  return { kind: "answered", response: toResponse(tool, value), durationMs, output, state, calls, faked: true };
}

function descriptionOf({ toolType }: Tool): string {
  return toolType.value !== undefined && "description" in toolType.value ? toolType.value.description : "";
}

/** A fake returns what the tool would return, so the value of a Python tool's fake is wrapped in `result`, once. */
function toResponse(tool: Tool, value: JsonValue): JsonObject {
  const wrapped = isJsonObject(value) && Object.keys(value).length === 1 && "result" in value;
  if (isJsonObject(value) && (wrapped || tool.toolType.case !== "pythonFunction")) return value;
  return { result: value };
}

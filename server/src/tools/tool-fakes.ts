import type { Tool } from "@frontdesk/protos/ces/tool";
import { collapseUnderscores, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ToolCall, ToolContext, ToolOutcome, ToolRecord } from "./contract.ts";
import { failed, mergeChanges } from "./outcomes.ts";
import { withChanges } from "./python/host-calls.ts";
import { runUserCode, toFailedTool } from "./python/run-user-code.ts";
import type { KindDeps } from "./tool-kind.ts";
import { toolLimits } from "./tool-limits.ts";
import { toolName } from "./tool-name.ts";

/** What a fake did with a call: it answered it, or let it through to the tool. */
type FakeResult =
  | { readonly kind: "faked"; readonly outcome: ToolOutcome }
  | { readonly kind: "passed"; readonly record: ToolRecord };

/**
 * Runs a tool's fake instead of the tool when the session uses fakes and the tool has one enabled (TOOL-20, CB-18):
 * `fake_<tool id>(tool, input, callback_context)`, else `fake_tool_call` of the same shape. Undefined = there is none. A fake that returns `None` lets the
 * call through: what it printed and changed counts.
 */
export async function runFake(
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  deps: KindDeps,
): Promise<FakeResult | undefined> {
  const code = fakeCodeOf(tool, context);
  if (code === undefined) return undefined;
  const module = await deps.sandbox.inspect(code, { tenant: context.app });
  if (module.kind === "broken")
    return faked(failed(`The fake of tool '${toolName(tool)}' does not load: ${module.type}: ${module.message}`));
  const spelled = [tool.name.slice(tool.name.lastIndexOf("/tools/") + "/tools/".length), toolName(tool)];
  const ids = [...spelled, ...spelled.map(collapseUnderscores)];
  // Ids of other systems may not be valid Python names.
  const names = [
    ...new Set(ids.flatMap((id) => [`fake_${id}`, `fake_${id.replaceAll(/\W/g, "_")}`])),
    "fake_tool_call",
  ];
  const entry = names.find((candidate) => module.functions.some(({ name }) => name === candidate));
  if (!entry) return faked(failed(`The fake of tool '${toolName(tool)}' defines none of ${names.join(", ")}.`));
  return runEntry(code, entry, tool, call, context, deps);
}

function faked(outcome: ToolOutcome): FakeResult {
  return { kind: "faked", outcome };
}

/** The context of a tool behind its fake: with the variables as the fake left them. */
export function contextAfter(fake: FakeResult | undefined, context: ToolContext): ToolContext {
  if (fake?.kind !== "passed") return context;
  return { ...context, python: withChanges(context.python, fake.record.state) };
}

/** What ran for a call in all. */
export function joinRecords(fake: ToolRecord, tool: ToolRecord | undefined): ToolRecord {
  if (!tool) return fake;
  return {
    durationMs: fake.durationMs + tool.durationMs,
    output: [...fake.output, ...tool.output],
    state: mergeChanges([fake.state, tool.state]),
    calls: [...(fake.calls ?? []), ...(tool.calls ?? [])],
  };
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
): Promise<FakeResult> {
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
  if (outcome.kind === "failed") return faked({ ...toFailedTool(outcome), faked: true });
  const { value, durationMs, output, state, calls } = outcome;
  const record = { durationMs, output, state, calls };
  if (value === null) return { kind: "passed", record };
  return faked({ kind: "answered", response: toResponse(tool, value), ...record, faked: true });
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

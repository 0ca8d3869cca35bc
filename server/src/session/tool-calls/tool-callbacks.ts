import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import type { ToolCall, ToolDeclaration } from "#tools";
import { runCallbacks } from "../callbacks/run-callbacks.ts";
import type { Variables } from "../state/variables.ts";
import type { TurnRun } from "../turn/turn-context.ts";

/** The before_tool callbacks (CB-15): the call as they left it, and the answer that one of them gave in the tool's place. */
export async function beforeTool(
  turn: TurnRun,
  call: ToolCall,
  declaration: ToolDeclaration,
  variables: Variables,
): Promise<{ readonly call: ToolCall; readonly override: JsonObject | undefined }> {
  let { args } = call;
  const override = await runCallbacks(turn, turn.agent, {
    stage: "before_tool",
    variables,
    functionCallId: call.id,
    args: () => [toolArgument(declaration), { kind: "json", value: args }, { kind: "callback-context" }],
    edit: ([, edited]) => {
      if (isJsonObject(edited)) args = edited;
    },
    accept: asResponse,
  });
  return { call: { ...call, args }, override };
}

/** The after_tool callbacks: the answer as they left it. */
export async function afterTool(
  turn: TurnRun,
  call: ToolCall,
  declaration: ToolDeclaration,
  original: JsonObject,
  variables: Variables,
): Promise<JsonObject> {
  let response = original;
  const override = await runCallbacks(turn, turn.agent, {
    stage: "after_tool",
    variables,
    functionCallId: call.id,
    args: () => [
      toolArgument(declaration),
      { kind: "json", value: call.args },
      { kind: "callback-context" },
      { kind: "json", value: response },
    ],
    edit: ([, , , edited]) => {
      if (isJsonObject(edited)) response = edited;
    },
    accept: asResponse,
  });
  return override ?? response;
}

function toolArgument({ name, description }: ToolDeclaration): PythonArgument {
  return { kind: "tool", name, description };
}

function asResponse(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

import type { Callback } from "@frontdesk/protos/ces/common";
import type { Guardrail_CodeCallback } from "@frontdesk/protos/ces/guardrail";
import { fileSafeName, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import type { UserCodeReturned } from "#tools";
import { couldNotRun } from "../callbacks/callback-not-run.ts";
import { pythonAttributes, tracebackAttributes } from "../trace.ts";
import {
  CHECK_FAILED,
  type CodeStage,
  type GuardrailCheck,
  type GuardrailContext,
  type Judgement,
} from "./guardrail-kind.ts";

/**
 * The app's own Python decides (GUARD-14): one function a stage, named and called like the agent callbacks, which returns `decision`
 * (`OK` or `TRIGGER`) and `reason` (proto comment of `CodeCallback`). Code that raises decides nothing, and the span shows the error;
 * code that could not run triggers, because this kind has no `fail_open`.
 */
export function codeCallback(config: Guardrail_CodeCallback): GuardrailCheck {
  const codes = new Map<CodeStage, StageCode>();
  const add = (stage: CodeStage, entry: string, callback: Callback | undefined) => {
    if (!callback || callback.disabled || callback.callback.case !== "pythonCode") return;
    codes.set(stage, { entry, code: callback.callback.value });
  };
  add("user-input", "before_agent_callback", config.beforeAgentCallback);
  add("before-model", "before_model_callback", config.beforeModelCallback);
  add("after-model", "after_model_callback", config.afterModelCallback);
  add("after-agent", "after_agent_callback", config.afterAgentCallback);
  return {
    stages: new Set(),
    problems: codes.size === 0 ? ["It has no code, so it never triggers."] : [],
    codeStages: new Set(codes.keys()),
    judgeByCode: async (stage, args, context) => {
      const code = codes.get(stage);
      return code ? runStage(code, args, context) : { reason: undefined };
    },
  };
}

interface StageCode {
  readonly entry: string;
  readonly code: string;
}

async function runStage(
  { entry, code }: StageCode,
  args: readonly PythonArgument[],
  context: GuardrailContext,
): Promise<Judgement> {
  const filename = `guardrails/${fileSafeName(context.guardrail)}/code_callback/${entry}/python_code.py`;
  const outcome = await context.runPython({ code, filename, entry, positional: args });
  if (outcome.kind === "failed") {
    return {
      reason: couldNotRun(outcome) ? CHECK_FAILED : undefined,
      attributes: { ...pythonAttributes(outcome), error: outcome.error, ...tracebackAttributes(outcome.frames) },
    };
  }
  return { ...decisionOf(outcome), attributes: { ...pythonAttributes(outcome), ...problemOf(outcome) } };
}

function decisionOf({ value }: UserCodeReturned): Judgement {
  if (!isJsonObject(value) || wordOf(value.decision) !== "TRIGGER") return { reason: undefined };
  return { reason: typeof value.reason === "string" && value.reason !== "" ? value.reason : "its code says so" };
}

/** Code that returns something else than a decision is a mistake that would otherwise never show. */
function problemOf({ value, returnType }: UserCodeReturned): JsonObject {
  if (isJsonObject(value) && ["OK", "TRIGGER"].includes(wordOf(value.decision))) return {};
  return { error: `returned ${returnType} without a decision of OK or TRIGGER; taken as OK` };
}

function wordOf(decision: JsonValue | undefined): string {
  return typeof decision === "string" ? decision.toUpperCase() : "";
}

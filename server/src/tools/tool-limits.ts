import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { PythonLimits } from "#sandbox";

/** Default limits of a tool: the default of `Tool.timeout`, and its CPU time, which no timeout extends (PY-39, TOOL-6). */
export const TOOL_LIMITS: PythonLimits = Object.freeze({ wallMs: 30_000, cpuMs: 10_000 });
/** Default of `Tool.timeout` for asynchronous tools, milliseconds (proto comment of the field). */
const ASYNCHRONOUS_TIMEOUT_MS = 60_000;
/** Longest timeout of a tool, milliseconds: a day. A Duration may be longer than a timer can wait. */
const MAX_TIMEOUT_MS = 86_400_000;

/** The tool's own timeout, or the default of its execution type. CPU time never exceeds it. */
export function toolLimits({ timeout, executionType }: Tool): PythonLimits {
  const { seconds = 0n, nanos = 0 } = timeout ?? {};
  const configuredMs = Math.max(0, Number(seconds) * 1000 + nanos / 1e6);
  const defaultMs = executionType === ExecutionType.ASYNCHRONOUS ? ASYNCHRONOUS_TIMEOUT_MS : TOOL_LIMITS.wallMs;
  const wallMs = Math.min(MAX_TIMEOUT_MS, configuredMs || defaultMs);
  return { wallMs, cpuMs: Math.min(TOOL_LIMITS.cpuMs, wallMs) };
}

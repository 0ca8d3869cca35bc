import { decodeText, definedFields, type Egress, hasDotSegment, type JsonObject, mergeJson, writeJson } from "#base";
import type { Outbound } from "#outbound";
import type { HostCall, HostCallHandler, HostReply, PythonContext } from "#sandbox";
import type { NestedCall, ToolContext, ToolOutcome, ToolStateChange, Tools } from "../contract.ts";
import { NO_CHANGE } from "../outcomes.ts";
import { findToolsetTool } from "./toolset-tools.ts";

/** Limit of nested `tools.X` calls. */
const MAX_DEPTH = 4;
/** Default of `timeout` in `ces_requests`, seconds: a request ends before the tool that sends it. */
const HTTP_TIMEOUT_SECONDS = 30;
/** Longest `timeout` in `ces_requests`, seconds. The run's own limit usually ends first. */
const HTTP_MAX_TIMEOUT_SECONDS = 3_600;
/** Limit of an HTTP response for user code, bytes. */
const HTTP_MAX_BYTES = 8 * 1024 * 1024;

/** Handles host calls of running user code: tools of its app by name, and HTTP through the egress gate. */
export function createHostCalls(
  context: ToolContext,
  onCall: (call: NestedCall) => void,
  { tools, egress, outbound }: HostCallDeps,
): HostCallHandler {
  let after = context;
  const record = (made: NestedCall): void => {
    after = { ...after, python: withChanges(after.python, made.outcome.state) };
    onCall(made);
  };
  return (call, signal) =>
    call.op === "tool"
      ? callTool(call, signal, after, record, tools)
      : callHttp(call, signal, context.app, egress, outbound);
}

interface HostCallDeps {
  readonly tools: Tools;
  readonly egress: Pick<Egress, "fetch">;
  readonly outbound: Pick<Outbound, "originsOfCode">;
}

/** The same context with the variables after a change. Copying evaluates all getters of the context, so one without changes is not copied. */
export function withChanges(python: PythonContext, { set, removed }: ToolStateChange): PythonContext {
  if (Object.keys(set).length === 0 && removed.length === 0) return python;
  const kept = { ...python.state };
  for (const name of removed) delete kept[name];
  return { ...python, state: mergeJson(kept, set) };
}

/**
 * Nested calls are resolved against the app, see the state that their caller started with and what nested calls before them changed, and are
 * no step of the loop (PY-24, PY-22, TURN-3).
 */
async function callTool(
  call: Extract<HostCall, { op: "tool" }>,
  signal: AbortSignal,
  context: ToolContext,
  onCall: (call: NestedCall) => void,
  tools: Tools,
): Promise<HostReply> {
  const tool = context.appTools.get(call.name) ?? (await findToolsetTool(call.name, context, tools));
  if (typeof tool === "string") return reply(500, tool, {});
  if (!tool) return reply(404, `Tool not found: ${call.name}`, {});
  if (context.depth >= MAX_DEPTH) {
    return reply(500, `Tool '${call.name}' was not called: nested tool calls are limited to ${MAX_DEPTH} levels.`, {});
  }
  const mocked = context.mocks?.answer(tool, call.args);
  const outcome = mocked
    ? answered(mocked)
    : await tools.execute(
        tool,
        { id: context.python.functionCallId ?? "", name: call.name, args: call.args },
        { ...context, depth: context.depth + 1, signal: AbortSignal.any([context.signal, signal]) },
      );
  onCall({ name: call.name, outcome });
  return toReply(outcome.response);
}

function answered(response: JsonObject): ToolOutcome {
  return { kind: "answered", response, durationMs: 0, output: [], state: NO_CHANGE };
}

/** A function response as the reply to user code. A failure has the error envelope. */
function toReply(response: JsonObject): HostReply {
  const failed = response.status === "error" && typeof response.error === "string";
  return failed ? reply(500, String(response.error), response) : reply(200, "", response);
}

function reply(status: number, reason: string, body: JsonObject): HostReply {
  return { status, reason, text: writeJson(body), headers: { "content-type": "application/json" } };
}

/** Rejects with the egress gate's error, which user code sees as the reason of a status 500. */
async function callHttp(
  call: Extract<HostCall, { op: "http" }>,
  signal: AbortSignal,
  app: string,
  egress: Pick<Egress, "fetch">,
  outbound: Pick<Outbound, "originsOfCode">,
): Promise<HostReply> {
  const { method, url, headers, timeout = HTTP_TIMEOUT_SECONDS, allowRedirects = true } = call;
  const body = call.bodyEncoding === "base64" ? Buffer.from(call.body ?? "", "base64") : call.body;
  const allowedOrigins = await outbound.originsOfCode(app);
  const response = await egress.fetch({
    method,
    // Clients of HTTP resolve `a/../b` before they send it; the gate takes no such address (TOOL-58).
    url: hasDotSegment(url) && URL.canParse(url) ? new URL(url).href : url,
    headers,
    ...definedFields({ body }),
    timeoutMs: Math.ceil(1000 * Math.min(HTTP_MAX_TIMEOUT_SECONDS, Math.max(0.001, timeout))),
    followRedirects: allowRedirects,
    maxBytes: HTTP_MAX_BYTES,
    ...(allowedOrigins.length > 0 && { allowedOrigins }),
    signal,
  });
  return {
    status: response.status,
    reason: response.status < 400 ? "" : response.statusText,
    text: decodeText(response.body, response.headers["content-type"]),
    headers: response.headers,
  };
}

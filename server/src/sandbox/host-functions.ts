import type { HostFunctions } from "@frontdesk/sealed-python";
import { isJsonObject, type JsonObject, type JsonValue, thrownMessage } from "#base";
import type { HostCall, HostCallHandler, HostReply } from "./contract.ts";

/** An answer of more characters would not leave the code room to work with it. */
const ANSWER_LIMIT = 8 << 20;

/**
 * The functions that the guest's `tools`, `async_tools` and `ces_requests` call. What the handler throws becomes status 500, so
 * that the code can look at it; what the code had no right to ask is refused.
 */
export function hostFunctions(handler: HostCallHandler, toolNames: readonly string[]): HostFunctions {
  const perform = async (call: HostCall | undefined, signal: AbortSignal): Promise<JsonValue> => {
    if (!call) throw new Error("the question is malformed");
    return toAnswer(await reply(handler, call, signal));
  };
  return {
    tool: (args, signal) => perform(readTool(args, toolNames), signal),
    http: (args, signal) => perform(readHttp(args), signal),
  };
}

async function reply(handler: HostCallHandler, call: HostCall, signal: AbortSignal): Promise<HostReply> {
  try {
    return await handler(call, signal);
  } catch (error) {
    return { status: 500, reason: thrownMessage(error), text: "" };
  }
}

function toAnswer({ status, reason, text, headers }: HostReply): JsonObject {
  if (text.length > ANSWER_LIMIT)
    throw new Error(`the answer has ${text.length} characters; the limit is ${ANSWER_LIMIT}`);
  return { status, reason, text, headers: { ...headers } };
}

function readTool({ name, args }: JsonObject, toolNames: readonly string[]): HostCall | undefined {
  const isKnown = typeof name === "string" && toolNames.includes(name);
  return isKnown && isJsonObject(args) ? { op: "tool", name, args } : undefined;
}

function readHttp({
  method,
  url,
  headers,
  body,
  bodyEncoding,
  timeout,
  allowRedirects,
}: JsonObject): HostCall | undefined {
  if (typeof method !== "string" || typeof url !== "string" || !isTextMap(headers)) return undefined;
  return {
    op: "http",
    method,
    url,
    headers,
    ...(typeof body === "string" && { body }),
    ...(bodyEncoding === "base64" && { bodyEncoding }),
    ...(typeof timeout === "number" && { timeout }),
    ...(typeof allowRedirects === "boolean" && { allowRedirects }),
  };
}

function isTextMap(value: JsonValue | undefined): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === "string");
}

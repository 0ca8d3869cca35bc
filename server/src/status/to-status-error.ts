import { Code, ConnectError } from "@connectrpc/connect";
import { internal } from "./refusals.ts";

/**
 * The one converter from anything thrown to a refusal. Refusals pass; an abort is CANCELLED; all else is INTERNAL with
 * the original as `cause`.
 */
export function toStatusError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Error && error.name === "AbortError")
    return new ConnectError("The request was cancelled.", Code.Canceled);
  return internal(error);
}

import { Code, ConnectError } from "@connectrpc/connect";
import { internal } from "./status-errors.ts";

/**
 * Converts anything thrown to a status error. Status errors stay as they are; an abort becomes CANCELLED; everything else becomes
 * INTERNAL with the original as `cause`.
 */
export function toStatusError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Error && error.name === "AbortError")
    return new ConnectError("The request was cancelled.", Code.Canceled);
  return internal(error);
}

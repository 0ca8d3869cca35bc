import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { Code, ConnectError, failedPrecondition } from "#status";
import { QueryError } from "../../contract.ts";
import type { EngineError } from "./protocol.ts";

/** Converts an error of the engine process to what is sent of it. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof QueryError) return { kind: "query", queryKind: error.kind, message: error.message };
  if (error instanceof ConnectError && error.code === Code.FailedPrecondition) {
    const [info] = error.findDetails(ErrorInfoSchema);
    return {
      kind: "precondition",
      message: error.rawMessage,
      reason: info?.reason ?? "",
      metadata: info?.metadata ?? {},
    };
  }
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "fault", message, stack };
}

/** The error that was sent, as the server throws it. */
export function fromEngineError(error: EngineError): Error {
  switch (error.kind) {
    case "query":
      return new QueryError(error.queryKind, error.message);
    case "precondition":
      return failedPrecondition(error.message, { reason: error.reason, metadata: error.metadata });
    case "fault":
      return Object.assign(new Error(error.message), { stack: error.stack });
  }
}

/** Whether an allocation failed at the limit of the operating system, and not at `warehouse.memory`, which DuckDB keeps by itself. */
export function isExhausted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /bad alloc|allocation failure/i.test(error.message) || isExhausted(error.cause);
}

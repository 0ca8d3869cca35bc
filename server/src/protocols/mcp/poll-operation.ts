import { create } from "@bufbuild/protobuf";
import { GetOperationRequestSchema, type Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { Registry } from "#rpc";
import type { ToolCall } from "./tool.ts";

/** Longest wait for an operation, milliseconds: clients time out after 60 s, and not all reset that on progress. */
const MAX_WAIT_MS = 50_000;

/** First and longest pause between two polls, milliseconds. */
const PAUSES = { first: 250, longest: 2_000 };

/**
 * Waits for an operation and reports progress, if the client requested it. Otherwise, and after the longest wait, returns the operation
 * as it is; the client continues with `get_operation`.
 */
export function createOperationPoller(
  registry: Registry,
): (operation: Operation, call: ToolCall) => Promise<Operation> {
  const getOperation = registry.methods.find(({ method }) => method.name === "GetOperation");
  return async (started, { context, progress }) => {
    if (!progress || started.done || !getOperation) return started;
    let operation = started;
    let pause = PAUSES.first;
    for (let waited = 0; !operation.done && waited < MAX_WAIT_MS && !context.signal.aborted; waited += pause) {
      progress(`${operation.name} is running.`);
      pause = Math.min(pause * 2, PAUSES.longest);
      await sleep(pause, context.signal);
      const request = create(GetOperationRequestSchema, { name: started.name });
      operation = (await registry.unary(getOperation, request, context)) as Operation;
    }
    return operation;
  };
}

/** Resolves early when the client disconnects. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

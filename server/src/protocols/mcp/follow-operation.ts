import { create } from "@bufbuild/protobuf";
import { GetOperationRequestSchema, type Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { Registry } from "#rpc";
import type { ToolCall } from "./tool.ts";

/** Longest that a call waits for its operation, milliseconds: clients give a silent call 60 s, and not all count progress. */
const MAX_WAIT_MS = 50_000;

/** First and longest pause between two looks, milliseconds. */
const PAUSES = { first: 250, longest: 2_000 };

/**
 * Waits for an operation while telling the client that it runs, if the client asked to be told; otherwise, and after a while, the
 * operation is answered as it is, and `get_operation` goes on from there.
 */
export function createFollowOperation(
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
      await rest(pause, context.signal);
      const request = create(GetOperationRequestSchema, { name: started.name });
      operation = (await registry.unary(getOperation, request, context)) as Operation;
    }
    return operation;
  };
}

/** Ends early, without complaint, when the client goes away. */
function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
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

import { create, type DescMethod, type DescService, type Message } from "@bufbuild/protobuf";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import type { StandardMethods } from "#resources";
import { type CallContext, markValidateOnly } from "#rpc";
import { finishedOperation, isLongRunning, type LongRunningDeps } from "./long-running.ts";

export interface StandardServiceDeps extends LongRunningDeps {
  readonly standard: StandardMethods;
}

/** Handlers for all standard methods of a service (AIP-131 to 135), derived from its annotations. Long-running ones return an operation. */
export function standardMethods(service: DescService, deps: StandardServiceDeps): Record<string, unknown> {
  const derived = service.methods.filter((method) => deps.standard.handles(method));
  return Object.fromEntries(derived.map((method) => [method.localName, standardHandler(method, deps)]));
}

function standardHandler(method: DescMethod, deps: StandardServiceDeps) {
  return markValidateOnly(async (request: Message, { validateOnly }: CallContext): Promise<Message> => {
    const result = await deps.standard.invoke(method, request, validateOnly);
    if (!isLongRunning(method)) return result;
    // Operations record what was done, and nothing was done.
    if (validateOnly) return create(OperationSchema, { done: true });
    return finishedOperation(deps, method, subjectOf(request), result);
  });
}

/** The resource or parent that a standard request names. */
function subjectOf(request: Message): string {
  const { name, parent } = request as { readonly name?: string; readonly parent?: string };
  return name ?? parent ?? "";
}

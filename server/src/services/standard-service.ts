import { create, type DescMethod, type DescService, type Message } from "@bufbuild/protobuf";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import type { Access } from "#access";
import { authorOf, definedFields } from "#base";
import type { StandardCall, StandardMethods } from "#resources";
import { type CallContext, markValidateOnly } from "#rpc";
import { finishedOperation, isLongRunning, type LongRunningDeps } from "./long-running.ts";

/** What standard methods need, whatever the service. */
export interface StandardServiceDeps extends LongRunningDeps {
  readonly standard: StandardMethods;
  readonly access: Access;
}

/** Handlers for all standard methods of a service (AIP-131 to 135), derived from its annotations. Long-running ones return an operation. */
export function standardMethods(service: DescService, deps: StandardServiceDeps): Record<string, unknown> {
  const derived = service.methods.filter((method) => deps.standard.handles(method));
  return Object.fromEntries(derived.map((method) => [method.localName, standardHandler(method, deps)]));
}

function standardHandler(method: DescMethod, deps: StandardServiceDeps) {
  return markValidateOnly(async (request: Message, context: CallContext): Promise<Message> => {
    const result = await deps.standard.invoke(method, request, standardCall(method, request, context, deps.access));
    if (!isLongRunning(method)) return result;
    // Operations record what was done, and nothing was done.
    if (context.validateOnly) return create(OperationSchema, { done: true });
    return finishedOperation(deps, method, context.revision, subjectOf(request), result);
  });
}

/** What a standard method needs to know of its call. */
export function standardCall(
  method: DescMethod,
  request: Message,
  context: CallContext,
  access: Pick<Access, "shownBy">,
): StandardCall {
  const { validateOnly } = context;
  return definedFields({
    validateOnly,
    author: authorOf(context.caller),
    shown: access.shownBy(context, method, request),
  });
}

/** The resource or parent that a standard request names. */
function subjectOf(request: Message): string {
  const { name, parent } = request as { readonly name?: string; readonly parent?: string };
  return name ?? parent ?? "";
}

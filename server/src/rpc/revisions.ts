import type { Message } from "@bufbuild/protobuf";
import {
  type ListOperationsResponse,
  ListOperationsResponseSchema,
  type Operation,
  OperationSchema,
} from "@frontdesk/protos/google/longrunning/operations";
import { mapStream } from "#base";
import type { CallContext, Interceptor, RegisteredMethod, Revision } from "./contract.ts";
import { INSIDE, revisionOf } from "./revision.ts";
import { replace } from "./rewrite.ts";
import type { Translator } from "./translate.ts";

/** How many operations of other revisions are remembered. */
const REMEMBERED_OPERATIONS = 10_000;

/**
 * Lets every revision see its own fields and its own types in `Any`s. gRPC has one `google.longrunning.Operations` for
 * all revisions and says nowhere which one is meant, so an operation keeps the revision of the call that started it.
 */
export function translateRevisions(translator: Translator): Interceptor {
  const started = new Map<string, Revision>();

  const inward = (method: RegisteredMethod, request: Message): Message =>
    translator.inward(method.inside.input, method.revision)?.(request) ?? request;

  const outward = (method: RegisteredMethod, response: Message, context: CallContext): Message => {
    if (saysNoRevision(method, context))
      return operationsOf(response, (operation) => as(operation, started.get(operation.name) ?? INSIDE));
    if (response.$typeName === OperationSchema.typeName)
      remember(started, (response as Operation).name, context.revision);
    return translator.outward(method.inside.output, context.revision)?.(response) ?? response;
  };

  const as = (operation: Operation, revision: Revision): Operation =>
    (translator.outward(OperationSchema, revision)?.(operation) as Operation) ?? operation;

  const inwardEach = (method: RegisteredMethod, request: Message | AsyncIterable<Message>) => {
    if (!(Symbol.asyncIterator in request)) return inward(method, request);
    const rewrite = translator.inward(method.inside.input, method.revision);
    return rewrite ? mapStream(request, rewrite) : request;
  };

  /** Whether no answer of a method is changed by `outward`: then a stream of them costs nothing here. */
  const staysAsItIs = (method: RegisteredMethod, context: CallContext): boolean =>
    !saysNoRevision(method, context) &&
    method.inside.output.typeName !== OperationSchema.typeName &&
    translator.outward(method.inside.output, context.revision) === undefined;

  return (next) => ({
    unary: async (method, request, context) =>
      outward(method, await next.unary(method, inward(method, request), context), context),
    stream: (method, request, context) => {
      const requests = inwardEach(method, request);
      const responses = next.stream(method, requests, context);
      return staysAsItIs(method, context)
        ? responses
        : mapStream(responses, (response) => outward(method, response, context));
    },
  });
}

/** REST paths begin with the revision; the other wires name the service only. */
function saysNoRevision(method: RegisteredMethod, { protocol }: CallContext): boolean {
  return revisionOf(method.method.parent) === undefined && protocol !== "rest";
}

function operationsOf(response: Message, change: (operation: Operation) => Operation): Message {
  switch (response.$typeName) {
    case OperationSchema.typeName:
      return change(response as Operation);
    case ListOperationsResponseSchema.typeName:
      return replace(response, "operations", (response as ListOperationsResponse).operations.map(change));
    default:
      return response;
  }
}

function remember(started: Map<string, Revision>, name: string, revision: Revision): void {
  if (revision === INSIDE) return;
  started.delete(name);
  started.set(name, revision);
  if (started.size <= REMEMBERED_OPERATIONS) return;
  for (const oldest of started.keys()) {
    started.delete(oldest);
    return;
  }
}

import type { Message } from "@bufbuild/protobuf";
import {
  type ListOperationsResponse,
  ListOperationsResponseSchema,
  type Operation,
  OperationSchema,
} from "@frontdesk/protos/google/longrunning/operations";
import { mapStream } from "#base";
import type { CallContext, Interceptor, RegisteredMethod, Revision } from "./contract.ts";
import { revisionOf, revisionOfOperation } from "./revision.ts";
import { replace } from "./rewrite.ts";
import type { Translator } from "./translate.ts";

/**
 * Shows every revision its own fields, and its own types in `Any`s (WIRE-2). gRPC has one `google.longrunning.Operations` for all revisions
 * and does not say which one the client uses, so the name of an operation says which revision the call had that started it (WIRE-61).
 */
export function translateRevisions(translator: Translator): Interceptor {
  const toInternal = (method: RegisteredMethod, request: Message): Message =>
    translator.toInternal(method.internalMethod.input, method.revision)?.(request) ?? request;

  const fromInternal = (method: RegisteredMethod, response: Message, context: CallContext): Message => {
    if (hasNoRevision(method, context))
      return operationsOf(response, (operation) => as(operation, revisionOfOperation(operation.name)));
    return translator.fromInternal(method.internalMethod.output, context.revision)?.(response) ?? response;
  };

  const as = (operation: Operation, revision: Revision): Operation =>
    (translator.fromInternal(OperationSchema, revision)?.(operation) as Operation) ?? operation;

  const toInternalEach = (method: RegisteredMethod, request: Message | AsyncIterable<Message>) => {
    if (!(Symbol.asyncIterator in request)) return toInternal(method, request);
    const rewrite = translator.toInternal(method.internalMethod.input, method.revision);
    return rewrite ? mapStream(request, rewrite) : request;
  };

  /** No stream answers operations, so where messages are the same in all revisions, a stream of them costs nothing here. */
  const fromInternalEach = (method: RegisteredMethod, responses: AsyncIterable<Message>, context: CallContext) => {
    const rewrite = translator.fromInternal(method.internalMethod.output, context.revision);
    return rewrite ? mapStream(responses, rewrite) : responses;
  };

  return (next) => ({
    unary: async (method, request, context) =>
      fromInternal(method, await next.unary(method, toInternal(method, request), context), context),
    stream: (method, request, context) =>
      fromInternalEach(method, next.stream(method, toInternalEach(method, request), context), context),
  });
}

/** REST paths begin with the revision; the other protocols name the service only. */
function hasNoRevision(method: RegisteredMethod, { protocol }: CallContext): boolean {
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

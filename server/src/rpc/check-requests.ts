import type { DescMethod, Message } from "@bufbuild/protobuf";
import { invalidValues } from "#aip";
import { mapStream } from "#base";
import { invalidArgument } from "#status";
import type { Interceptor } from "./contract.ts";
import { longNames } from "./long-names.ts";
import { missingInRequest } from "./required-fields.ts";

/**
 * Rejects requests that lack REQUIRED fields, whose names and filters are too long, or whose JSON has values that JSON does not have, with
 * INVALID_ARGUMENT, which names all of them (AIP-203).
 */
export function checkRequests(): Interceptor {
  const assertComplete = (method: DescMethod, request: Message): void => {
    const violations = [
      ...missingInRequest(method, request),
      ...longNames(method, request),
      ...invalidValues(method.input, request),
    ];
    if (violations.length > 0) throw invalidArgument(violations);
  };
  const checked = (method: DescMethod, request: Message): Message => {
    assertComplete(method, request);
    return request;
  };
  return (next) => ({
    unary: async (method, request, context) => {
      assertComplete(method.internalMethod, request);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      const requests =
        Symbol.asyncIterator in request
          ? mapStream(request, (message) => checked(method.internalMethod, message))
          : checked(method.internalMethod, request);
      return next.stream(method, requests, context);
    },
  });
}

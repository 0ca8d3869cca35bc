import type { DescMethod, Message } from "@bufbuild/protobuf";
import { invalidArgument } from "#status";
import type { Interceptor } from "./contract.ts";
import { createRequiredFields } from "./required-fields.ts";

/** Refuses requests that lack a REQUIRED field, with every missing one at once (AIP-203). */
export function checkRequiredFields(): Interceptor {
  const missing = createRequiredFields();
  const refuse = (method: DescMethod, request: Message): void => {
    const violations = missing(method, request);
    if (violations.length > 0) throw invalidArgument(violations);
  };
  const refuseEach = async function* (method: DescMethod, requests: AsyncIterable<Message>): AsyncGenerator<Message> {
    for await (const request of requests) {
      refuse(method, request);
      yield request;
    }
  };
  return (next) => ({
    unary: async (method, request, context) => {
      refuse(method.inside, request);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      if (Symbol.asyncIterator in request) return next.stream(method, refuseEach(method.inside, request), context);
      refuse(method.inside, request);
      return next.stream(method, request, context);
    },
  });
}

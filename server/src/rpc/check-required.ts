import type { DescMessage, Message } from "@bufbuild/protobuf";
import { invalidArgument } from "#status";
import type { Interceptor } from "./contract.ts";
import { createRequiredFields } from "./required-fields.ts";

/** Refuses requests that lack a REQUIRED field, with every missing one at once (AIP-203). */
export function checkRequiredFields(): Interceptor {
  const missing = createRequiredFields();
  const refuse = (type: DescMessage, request: Message): void => {
    const violations = missing(type, request);
    if (violations.length > 0) throw invalidArgument(violations);
  };
  const refuseEach = async function* (type: DescMessage, requests: AsyncIterable<Message>): AsyncGenerator<Message> {
    for await (const request of requests) {
      refuse(type, request);
      yield request;
    }
  };
  return (next) => ({
    unary: async (method, request, context) => {
      refuse(method.inside.input, request);
      return next.unary(method, request, context);
    },
    stream: async function* (method, request, context) {
      const type = method.inside.input;
      if (Symbol.asyncIterator in request) return yield* next.stream(method, refuseEach(type, request), context);
      refuse(type, request);
      yield* next.stream(method, request, context);
    },
  });
}

import type { DescMethod, Message } from "@bufbuild/protobuf";
import { mapStream } from "#base";
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
  const checked = (method: DescMethod, request: Message): Message => {
    refuse(method, request);
    return request;
  };
  return (next) => ({
    unary: async (method, request, context) => {
      refuse(method.inside, request);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      const requests =
        Symbol.asyncIterator in request
          ? mapStream(request, (message) => checked(method.inside, message))
          : checked(method.inside, request);
      return next.stream(method, requests, context);
    },
  });
}

import type { Message } from "@bufbuild/protobuf";
import { httpRuleOf } from "#aip";
import { deferStream } from "#base";
import { type CallContext, type Interceptor, isHealthMethod, type RegisteredMethod } from "#rpc";
import type { QuotaMeasure, Quotas } from "./contract.ts";
import { subjectOf } from "./scopes.ts";

const MEASURES = ["requests", "reads", "writes"] as const;

/** Whose app and project a call counts for; "" for none. */
type CountedResource = (method: RegisteredMethod, request: Message, context: CallContext) => Promise<string>;

/** Refuses calls beyond the quotas of requests, reads and writes. Streams of a client count once, for their caller. */
export function limitRequests(quotas: Quotas, countedResource: CountedResource): Interceptor {
  if (!MEASURES.some((measure) => quotas.counts(measure))) return (next) => next;
  const measures = new Map<RegisteredMethod, readonly QuotaMeasure[]>();
  const measuresOf = (method: RegisteredMethod): readonly QuotaMeasure[] => {
    const known = measures.get(method) ?? measuresFor(method);
    measures.set(method, known);
    return known;
  };
  const use = async (method: RegisteredMethod, request: Message, context: CallContext) =>
    quotas.use(subjectOf(context, await countedResource(method, request, context)), measuresOf(method));
  return (next) => ({
    unary: async (method, request, context) => {
      await use(method, request, context);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      if (isMessage(request)) {
        return deferStream(async () => {
          await use(method, request, context);
          return next.stream(method, request, context);
        });
      }
      quotas.use(subjectOf(context, ""), measuresOf(method));
      return next.stream(method, request, context);
    },
  });
}

/** What a call of a method uses. Who asks for the health of the server uses nothing. */
function measuresFor(method: RegisteredMethod): readonly QuotaMeasure[] {
  if (isHealthMethod(method)) return [];
  return ["requests", isRead(method) ? "reads" : "writes"];
}

/** Methods whose published address is a GET, and those that are not on REST. */
function isRead({ method }: RegisteredMethod): boolean {
  const rule = httpRuleOf(method);
  return rule === undefined || rule.pattern.case === "get";
}

function isMessage(request: Message | AsyncIterable<Message>): request is Message {
  return !(Symbol.asyncIterator in request);
}

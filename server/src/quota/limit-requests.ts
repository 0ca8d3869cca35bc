import type { DescMessage, Message } from "@bufbuild/protobuf";
import { httpRuleOf } from "#aip";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import type { QuotaMeasure, Quotas } from "./contract.ts";
import { subjectOf } from "./scopes.ts";

/** How deep the name of a resource may be in a request: `config.session`. */
const DEPTH = 2;

/** Refuses calls beyond the quotas of requests, reads and writes. Streams of a client count once, for their caller. */
export function limitRequests(quotas: Quotas): Interceptor {
  const measures = new Map<RegisteredMethod, readonly QuotaMeasure[]>();
  const measuresOf = (method: RegisteredMethod): readonly QuotaMeasure[] => {
    const known = measures.get(method) ?? ["requests", isRead(method) ? "reads" : "writes"];
    measures.set(method, known);
    return known;
  };
  const use = (method: RegisteredMethod, request: Message | undefined, context: CallContext) =>
    quotas.use(subjectOf(context, request ? resourceIn(method.method.input, request, DEPTH) : ""), measuresOf(method));
  return (next) => ({
    unary: async (method, request, context) => {
      use(method, request, context);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      use(method, isMessage(request) ? request : undefined, context);
      return next.stream(method, request, context);
    },
  });
}

/** Methods whose published address is a GET, and those that are not on REST. */
function isRead({ method }: RegisteredMethod): boolean {
  const rule = httpRuleOf(method);
  return rule === undefined || rule.pattern.case === "get";
}

function isMessage(request: Message | AsyncIterable<Message>): request is Message {
  return !(Symbol.asyncIterator in request);
}

/** The first name of a resource in a request: fields in their order, those of messages within after them. "" for none. */
function resourceIn(desc: DescMessage, message: Message, depth: number): string {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  for (const { fieldKind, localName } of desc.fields) {
    const value = fieldKind === "scalar" ? values[localName] : undefined;
    if (typeof value === "string" && value.startsWith("projects/")) return value;
  }
  if (depth <= 1) return "";
  for (const field of desc.fields) {
    const within = field.fieldKind === "message" ? values[field.localName] : undefined;
    const found = within && field.message ? resourceIn(field.message, within as Message, depth - 1) : "";
    if (found) return found;
  }
  return "";
}

import type { DescMethod, Message } from "@bufbuild/protobuf";
import { classifyMethod, httpRuleOf, resourceNameIn, resourceTypeOf, snakeCase } from "#aip";
import { type Clock, definedFields, type StreamEnd, watchStream } from "#base";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { Code, reasonOf, toGrpcStatusName, toStatusError, unavailable } from "#status";
import type { AuditCategory, AuditConfig, AuditEntry, AuditLog } from "./contract.ts";
import { REFUSALS } from "./refusal-limit.ts";

interface AuditCallsDeps {
  readonly log: Pick<AuditLog, "append" | "state">;
  readonly records: AuditConfig["records"];
  /** Whether calls of these records are refused while entries cannot be written. */
  readonly isRequired: boolean;
  readonly clock: Clock;
  /** The resource that a call is about, by the method of the internal revision; "" for none. */
  readonly resourceOf: (method: DescMethod, request: Message) => string;
}

/**
 * Records who called what with what outcome. The answer of a change waits until its entry is durable; other answers do not. It stands around
 * the interceptors that refuse calls.
 */
export function auditCalls({ log, records, isRequired, clock, resourceOf }: AuditCallsDeps): Interceptor {
  const requireLog = (method: RegisteredMethod): void => {
    if (!isRequired || !records.has(categoryOf(method))) return;
    if (log.state().some(({ fault }) => fault !== undefined)) throw notRecordable();
  };
  const record = (call: Call, outcome: Outcome): Promise<void> | undefined => {
    const category = categoryOf(call.method);
    if (!records.has(category) && !REFUSALS.has(outcome.code)) return undefined;
    const written = log.append(entryOf(call, category, outcome, Math.floor(clock.now())));
    return category === "write" ? written : undefined;
  };
  return (next) => ({
    unary: async (method, request, context) => {
      requireLog(method);
      const call = { method, context, resource: resourceOf(method.internalMethod, request) };
      try {
        const response = await next.unary(method, request, context);
        await record({ ...call, resource: madeBy(call, request, response) }, { code: "OK" });
        return response;
      } catch (error) {
        await record(call, outcomeOf(error));
        throw error;
      }
    },
    stream: (method, request, context) => {
      requireLog(method);
      let resource = "";
      const look = (message: Message) => {
        resource ||= resourceOf(method.internalMethod, message);
      };
      const watched =
        Symbol.asyncIterator in request ? watchStream(() => request, { onItem: look, onEnd() {} }) : request;
      if (watched === request) look(request as Message);
      return watchStream(() => next.stream(method, watched, context), {
        onEnd: (end) => void record({ method, context, resource }, outcomeOfEnd(end)),
      });
    },
  });
}

/** The log of the server has what is wrong with the place. */
function notRecordable(): Error {
  return unavailable(
    "The audit log cannot be written at the moment, and this server answers no call that it cannot record. Try again.",
    { reason: "AUDIT_UNAVAILABLE" },
  );
}

interface Call {
  readonly method: RegisteredMethod;
  readonly context: CallContext;
  readonly resource: string;
}

interface Outcome {
  readonly code: string;
  readonly reason?: string;
}

/** A call that makes a resource names its parent; the response has the name, unless it is an operation, and then the request has the id. */
function madeBy({ method, resource }: Call, request: Message, response: Message): string {
  const standard = classifyMethod(method.internalMethod);
  const type = standard?.kind === "create" ? resourceTypeOf(standard.resource) : undefined;
  if (!type) return resource;
  const answered = resourceNameIn(method.method.output, response);
  if (answered.startsWith(`${resource}/${type.plural}/`)) return answered;
  const idField = method.method.input.fields.find(({ name }) => name === `${snakeCase(type.singular)}_id`);
  const id = idField && (request as unknown as Readonly<Record<string, unknown>>)[idField.localName];
  return typeof id === "string" && id !== "" ? `${resource}/${type.plural}/${id}` : resource;
}

/** Characters of a resource in an entry, at most: whoever is refused chooses them, before anything has checked their number. */
const MOST_OF_RESOURCE = 1_000;

function recordedName(resource: string): string {
  return resource.length <= MOST_OF_RESOURCE ? resource : `${resource.slice(0, MOST_OF_RESOURCE)}…`;
}

const USES = /^(Run|StreamRun|BidiRun|Execute|Chat|StreamChat|Query|Send)/;

/** What only reads, although its published address is a POST: the console asks for permissions and schemas with each page. */
const READS = /^(GetIamPolicy|TestIamPermissions|RetrieveTools|RetrieveToolSchema)$/;

/** A GET reads, and so do the services of gRPC itself; talking and running tools is use; everything else changes something. */
export function categoryOf({ method }: RegisteredMethod): AuditCategory {
  if (method.parent.typeName.startsWith("grpc.")) return "read";
  if (method.methodKind !== "unary" || USES.test(method.name)) return "use";
  return READS.test(method.name) || httpRuleOf(method)?.pattern.case === "get" ? "read" : "write";
}

function entryOf(
  { method, context, resource }: Call,
  category: AuditCategory,
  outcome: Outcome,
  time: number,
): AuditEntry {
  const { caller, peer, protocol, requestId } = context;
  return {
    time,
    category,
    method: `${method.method.parent.typeName}.${method.method.name}`,
    resource: recordedName(resource),
    principal: caller.principal,
    kind: caller.kind,
    credential: caller.credentialId,
    address: peer.address,
    protocol,
    requestId,
    outcome: outcome.code,
    ...(outcome.reason !== undefined && { reason: outcome.reason }),
  };
}

function outcomeOfEnd(end: StreamEnd): Outcome {
  if (end.kind === "failed") return outcomeOf(end.error);
  return { code: end.kind === "done" ? "OK" : toGrpcStatusName(Code.Canceled) };
}

function outcomeOf(error: unknown): Outcome {
  const status = toStatusError(error);
  const reason = reasonOf(status);
  return { code: toGrpcStatusName(status.code), ...definedFields({ reason }) };
}

import { ANONYMOUS, IN_PROCESS, type Logger } from "#base";
import type { CallContext } from "./contract.ts";

/** What a protocol knows of a call. Without a caller the call is anonymous, so that a protocol that forgets it grants nothing. */
type CallContextInit = Omit<CallContext, "logger" | "caller" | "peer"> & Partial<Pick<CallContext, "caller" | "peer">>;

/** The context of a call. The call's logger is created on first use. */
export function createCallContext(init: CallContextInit, logger: Logger): CallContext {
  return new LazyLoggerContext({ caller: ANONYMOUS, peer: IN_PROCESS, ...init }, { server: logger });
}

/** The same call with another signal and deadline. */
export function withTime(context: CallContext, signal: AbortSignal, deadline: number | undefined): CallContext {
  return new LazyLoggerContext({ ...fieldsOf(context), signal, deadline }, { call: context });
}

/** The same call, to be validated and not executed. */
export function withValidateOnly(context: CallContext): CallContext {
  return new LazyLoggerContext({ ...fieldsOf(context), validateOnly: true }, { call: context });
}

/** Where a call's logger comes from: a child of the server's, or the one of another context of the same call. */
type LoggerSource =
  | { readonly server: Logger; readonly call?: undefined }
  | { readonly call: CallContext; readonly server?: undefined };

type Fields = Omit<CallContext, "logger" | "deadline" | "validateOnly"> & {
  readonly deadline?: number | undefined;
  readonly validateOnly?: boolean | undefined;
};

function fieldsOf(context: CallContext): Fields {
  const { signal, deadline, revision, protocol, headers, requestId, caller, peer, validateOnly } = context;
  return { signal, deadline, revision, protocol, headers, requestId, caller, peer, validateOnly };
}

/** A class, because an object literal with a getter takes three times the memory, and thousands of open conversations hold one each. */
class LazyLoggerContext implements CallContext {
  readonly signal: CallContext["signal"];
  declare readonly deadline?: number;
  readonly revision: CallContext["revision"];
  readonly protocol: CallContext["protocol"];
  readonly headers: CallContext["headers"];
  readonly requestId: string;
  readonly caller: CallContext["caller"];
  readonly peer: CallContext["peer"];
  declare readonly validateOnly?: boolean;
  readonly #source: LoggerSource;
  #logger: Logger | undefined;

  constructor(fields: Fields, source: LoggerSource) {
    this.signal = fields.signal;
    if (fields.deadline !== undefined) this.deadline = fields.deadline;
    this.revision = fields.revision;
    this.protocol = fields.protocol;
    this.headers = fields.headers;
    this.requestId = fields.requestId;
    this.caller = fields.caller;
    this.peer = fields.peer;
    if (fields.validateOnly) this.validateOnly = true;
    this.#source = source;
  }

  get logger(): Logger {
    if (this.#source.call) return this.#source.call.logger;
    this.#logger ??= this.#source.server.child({ requestId: this.requestId });
    return this.#logger;
  }
}

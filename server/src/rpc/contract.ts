import type {
  DescMessage,
  DescMethod,
  DescService,
  Message,
  MessageInitShape,
  MessageShape,
  Registry as TypeRegistry,
} from "@bufbuild/protobuf";
import type { Caller, Logger, Peer } from "#base";

/** An API revision, e.g. `v1`. Handlers use v1beta; calls of other revisions are translated before and after the handler. */
export type Revision = "v1" | "v1beta" | "v1alpha";

/** What a handler knows about its call besides the request. */
export interface CallContext {
  /** Fires on client cancellation, on the deadline, and when the server shuts down hard. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; undefined = none. */
  readonly deadline?: number;
  /** Revision that the client called. `Any` fields of the response get the types of this revision. */
  readonly revision: Revision;
  readonly protocol: "grpc" | "grpc-web" | "connect" | "rest" | "mcp" | "websocket" | "a2a" | "a2a-0.3" | "memory";
  /** Lower-case request headers. */
  readonly headers: ReadonlyMap<string, string>;
  /** Short id that is in every log line of the call. */
  readonly requestId: string;
  /** Who calls. Anonymous when the request has no credential, or when authentication is off. */
  readonly caller: Caller;
  readonly peer: Peer;
  /**
   * Validate the request and change nothing. Handlers that support it are called (`markValidateOnly`); for all others the call ends
   * after the checks of the pipeline. Default false.
   */
  readonly validateOnly?: boolean;
  readonly logger: Logger;
}

/** The handler of one method, by its streaming kind. Requests are v1beta messages whose REQUIRED fields are set. */
export type MethodHandler<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> =
  | {
      readonly kind: "unary";
      readonly run: (request: MessageShape<I>, context: CallContext) => Promise<MessageInitShape<O>>;
    }
  | {
      readonly kind: "server_streaming";
      readonly run: (request: MessageShape<I>, context: CallContext) => AsyncIterable<MessageInitShape<O>>;
    }
  | {
      readonly kind: "bidi_streaming";
      readonly run: (
        requests: AsyncIterable<MessageShape<I>>,
        context: CallContext,
      ) => AsyncIterable<MessageInitShape<O>>;
    };

/** A service's handlers by local method name (`runSession`). A method without one is UNIMPLEMENTED. */
export type ServiceImplementation<S extends DescService> = {
  readonly [K in keyof S["method"]]?: S["method"][K] extends {
    methodKind: "unary";
    input: infer I extends DescMessage;
    output: infer O extends DescMessage;
  }
    ? (request: MessageShape<I>, context: CallContext) => Promise<MessageInitShape<O>>
    : S["method"][K] extends {
          methodKind: "server_streaming";
          input: infer I extends DescMessage;
          output: infer O extends DescMessage;
        }
      ? (request: MessageShape<I>, context: CallContext) => AsyncIterable<MessageInitShape<O>>
      : S["method"][K] extends {
            methodKind: "bidi_streaming";
            input: infer I extends DescMessage;
            output: infer O extends DescMessage;
          }
        ? (requests: AsyncIterable<MessageShape<I>>, context: CallContext) => AsyncIterable<MessageInitShape<O>>
        : never;
};

/** A service of the internal revision, its other revisions, and what implements it. */
export interface ServiceRegistration {
  readonly service: DescService;
  /** The same service in other revisions: names, field numbers and handlers are the same. A revision serves the methods it has. */
  readonly otherRevisions?: readonly DescService[];
  readonly implementation: Readonly<Record<string, unknown>>;
}

/** A method as protocols see it: one entry per revision, all with the one handler. */
export interface RegisteredMethod {
  /** The method of this revision: its full name, `google.api.http` and streaming kind. */
  readonly method: DescMethod;
  readonly revision: Revision;
  /** The method of the internal revision. Decode requests with its input, encode responses with its output. */
  readonly internalMethod: DescMethod;
  /** `/google.cloud.ces.v1.AgentService/GetApp`. */
  readonly path: string;
  readonly implemented: boolean;
  /** Whether the handler reads `CallContext.validateOnly` (`markValidateOnly`). */
  readonly supportsValidateOnly: boolean;
}

/** How a protocol calls a method: interceptors (deadline, authorization, required fields, log) included. Errors are always ConnectErrors. */
export interface Invocation {
  unary(method: RegisteredMethod, request: Message, context: CallContext): Promise<Message>;
  stream(
    method: RegisteredMethod,
    request: Message | AsyncIterable<Message>,
    context: CallContext,
  ): AsyncIterable<Message>;
}

/** A step of the pipeline around every call: takes the next steps, returns a pipeline that begins with this one. */
export type Interceptor = (next: Invocation) => Invocation;

/** All registered methods of all services and revisions, and how to call them. */
export interface Registry extends Invocation {
  readonly methods: readonly RegisteredMethod[];
  find(path: string): RegisteredMethod | undefined;
  /** Whether a caller may call a method on some resource: what lists methods, shows these. */
  permits(method: RegisteredMethod, asker: Pick<CallContext, "caller" | "peer">): boolean;
  /** Every message type that the methods can use, of all revisions: the JSON of `Any` needs them. */
  readonly types: TypeRegistry;
}

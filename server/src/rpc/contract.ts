import type {
  DescMessage,
  DescMethod,
  DescService,
  Message,
  MessageInitShape,
  MessageShape,
  Registry as TypeRegistry,
} from "@bufbuild/protobuf";
import type { Logger } from "#base";

/** An API revision, e.g. `v1`, `v1beta`. The inside speaks v1beta; the others are translated at the edge. */
export type Revision = "v1" | "v1beta" | "v1alpha";

/** What a handler knows about its call beside the request. */
export interface CallContext {
  /** Fires on client cancellation, on the deadline, and when the server shuts down hard. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; undefined = none. */
  readonly deadline?: number;
  /** Revision the client called; handlers seldom care, `Any` fields are typed for it. */
  readonly revision: Revision;
  readonly protocol: "grpc" | "grpc-web" | "connect" | "rest" | "mcp" | "websocket" | "memory";
  /** Lower-case request headers. */
  readonly headers: ReadonlyMap<string, string>;
  /** Short id that is in every log line of the call. */
  readonly requestId: string;
  /**
   * Check, and do not do: methods that can are called and change nothing, others are not called once their request is found sound.
   * Default false.
   */
  readonly validateOnly?: boolean;
  readonly logger: Logger;
}

/** The handler of one method, by its streaming kind. Requests are superset (v1beta) messages, already validated for REQUIRED. */
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

/** A service's handlers by local method name (`runSession`); a missing one answers UNIMPLEMENTED by name. */
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

/** A service of the inside revision, its other revisions, and what implements it. */
export interface ServiceRegistration {
  readonly service: DescService;
  /** The same service in other revisions: they share names, numbers and handlers. Methods they lack are not served there. */
  readonly also?: readonly DescService[];
  readonly implementation: Readonly<Record<string, unknown>>;
}

/** A method as protocols see it: one entry per revision, all with the one handler. */
export interface RegisteredMethod {
  /** The method of this revision: its full name, `google.api.http` and streaming kind. */
  readonly method: DescMethod;
  readonly revision: Revision;
  /** The inside revision's method: decode and encode with its input and output. */
  readonly inside: DescMethod;
  /** `/google.cloud.ces.v1.AgentService/GetApp`. */
  readonly path: string;
  readonly implemented: boolean;
  /** Whether the handler minds `CallContext.validateOnly` (`validating`). */
  readonly validatesOnly: boolean;
}

/** How a protocol calls a method: interceptors (deadline, auth, required fields, log) included. Errors are always ConnectErrors. */
export interface Invocation {
  unary(method: RegisteredMethod, request: Message, context: CallContext): Promise<Message>;
  stream(
    method: RegisteredMethod,
    request: Message | AsyncIterable<Message>,
    context: CallContext,
  ): AsyncIterable<Message>;
}

/** A step around every call: gets the rest of the pipeline, answers a pipeline with itself in front. */
export type Interceptor = (next: Invocation) => Invocation;

/** All methods of all services and revisions. */
export interface Registry extends Invocation {
  readonly methods: readonly RegisteredMethod[];
  find(path: string): RegisteredMethod | undefined;
  /** Every message type that the methods can mention, of all revisions: for the JSON of `Any`. */
  readonly types: TypeRegistry;
}

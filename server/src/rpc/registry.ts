import { create, type DescMethod, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { type Clock, type Logger, mapStream } from "#base";
import { unimplemented } from "#status";
import { checkRequests } from "./check-requests.ts";
import type {
  CallContext,
  Interceptor,
  Invocation,
  MethodHandler,
  RegisteredMethod,
  Registry,
  ServiceRegistration,
} from "./contract.ts";
import { logRequests } from "./request-log.ts";
import { INTERNAL_REVISION, revisionOf } from "./revision.ts";
import { translateRevisions } from "./revisions.ts";
import { limitTime } from "./time-limit.ts";
import { createTranslator } from "./translate.ts";
import { createTypeRegistry } from "./type-registry.ts";

interface RegistryDeps {
  readonly clock: Clock;
  /** Gets one line per call. */
  readonly logger: Logger;
  /** Longest duration of a call, milliseconds; bidirectional streams have no limit. Default 600,000: a turn with many model calls. */
  readonly maxDurationMs?: number;
  /** More steps. They run inside the log and the time limit, before the request is translated and validated. */
  readonly interceptors?: readonly Interceptor[];
  /** Refuses what callers may not do. Runs on requests of the internal revision, before they are validated. Default: nothing is refused. */
  readonly authorize?: Interceptor;
  /** See `Registry.permits`. Default: every caller may call every method. */
  readonly permits?: Registry["permits"];
}

/** Creates the registry of these services. Read the pipeline from the top: each step wraps the ones below it. */
export function createRegistry(registrations: readonly ServiceRegistration[], deps: RegistryDeps): Registry {
  const { clock, logger, maxDurationMs = 600_000, interceptors = [], permits = () => true } = deps;
  const { authorize = (next) => next } = deps;
  const types = createTypeRegistry(registrations);
  const handlers = new Map(registrations.flatMap(methodsOf));
  const methods = [...handlers.keys()];
  const byPath = new Map(methods.map((method) => [method.path, method]));
  const pipeline: readonly Interceptor[] = [
    logRequests(clock, logger),
    rejectUnimplemented(), // before the request is validated: no change to it would help
    limitTime(clock, maxDurationMs),
    ...interceptors,
    translateRevisions(createTranslator(types)),
    authorize,
    checkRequests(), // after translation: the annotations are those of the internal messages
  ];
  const invocation = pipeline.reduceRight<Invocation>((next, interceptor) => interceptor(next), callHandlers(handlers));
  return { methods, types, find: (path) => byPath.get(path), permits, ...invocation };
}

type MethodEntry = readonly [RegisteredMethod, MethodHandler | undefined];

function methodsOf({ service, otherRevisions = [], implementation }: ServiceRegistration): MethodEntry[] {
  return [service, ...otherRevisions].flatMap((revision) =>
    revision.methods.flatMap((method): MethodEntry[] => {
      const internalMethod = service.method[method.localName];
      if (!internalMethod) return [];
      const handler = handlerOf(internalMethod, implementation);
      const registered: RegisteredMethod = Object.freeze({
        method,
        revision: revisionOf(revision) ?? INTERNAL_REVISION,
        internalMethod,
        path: `/${revision.typeName}/${method.name}`,
        implemented: handler !== undefined,
        supportsValidateOnly: supportsValidateOnly(implementation[method.localName]),
      });
      return [[registered, handler]];
    }),
  );
}

function handlerOf(
  method: DescMethod,
  implementation: ServiceRegistration["implementation"],
): MethodHandler | undefined {
  const run = implementation[method.localName];
  if (typeof run !== "function") return undefined;
  if (method.methodKind === "client_streaming")
    throw new Error(
      `${method.parent.typeName}.${method.name} streams from the client only, which no handler kind serves`,
    );
  // Services are registered through `defineService`, which types the function by this very method.
  return { kind: method.methodKind, run: run.bind(implementation) } as MethodHandler;
}

/** Marks a handler that reads `CallContext.validateOnly`. */
export function markValidateOnly<Handler extends object>(handler: Handler): Handler {
  return Object.assign(handler, { supportsValidateOnly: true });
}

function supportsValidateOnly(handler: unknown): boolean {
  return typeof handler === "function" && "supportsValidateOnly" in handler;
}

/** Fails calls to methods without a handler with UNIMPLEMENTED. */
function rejectUnimplemented(): Interceptor {
  const assertImplemented = ({ implemented, method }: RegisteredMethod): void => {
    if (!implemented) throw unimplemented(`${method.parent.typeName}.${method.name}`);
  };
  return (next) => ({
    unary: async (method, request, context) => {
      assertImplemented(method);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      assertImplemented(method);
      return next.stream(method, request, context);
    },
  });
}

/** The end of the pipeline: calls the handler. */
function callHandlers(handlers: ReadonlyMap<RegisteredMethod, MethodHandler | undefined>): Invocation {
  const handlerFor = (method: RegisteredMethod): MethodHandler => {
    const handler = handlers.get(method);
    if (!handler) throw new Error(`${method.path} has no handler and was called`);
    return handler;
  };
  return {
    unary: async (method, request, context) => {
      const handler = handlerFor(method);
      if (handler.kind !== "unary") throw new Error(`${method.path} streams and was called as unary`);
      if (context.validateOnly && !method.supportsValidateOnly) return create(method.internalMethod.output);
      return complete(method, await handler.run(request, context));
    },
    stream: (method, request, context) =>
      mapStream(runStream(handlerFor(method), method, request, context), (response) => complete(method, response)),
  };
}

function runStream(
  handler: MethodHandler,
  method: RegisteredMethod,
  request: Message | AsyncIterable<Message>,
  context: CallContext,
): AsyncIterable<unknown> {
  const streamed = Symbol.asyncIterator in request;
  if (handler.kind === "server_streaming" && !streamed) return handler.run(request, context);
  if (handler.kind === "bidi_streaming" && streamed) return handler.run(request, context);
  throw new Error(`${method.path} is ${handler.kind} and was called otherwise`);
}

/** Handlers may return part of a message. */
function complete(method: RegisteredMethod, response: unknown): Message {
  return create(method.internalMethod.output, response as MessageInitShape<typeof method.internalMethod.output>);
}

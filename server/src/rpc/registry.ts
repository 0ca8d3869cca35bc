import { create, type DescMethod, type DescService, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { type Clock, type Logger, mapStream } from "#base";
import { unimplemented } from "#status";
import { checkRequiredFields } from "./check-required.ts";
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
import { INSIDE, revisionOf } from "./revision.ts";
import { translateRevisions } from "./revisions.ts";
import { limitTime } from "./time-limit.ts";
import { createTranslator } from "./translate.ts";
import { createTypeRegistry } from "./type-registry.ts";

export interface RegistryDeps {
  readonly clock: Clock;
  /** Gets one line a call. */
  readonly logger: Logger;
  /** Longest that a call may take, milliseconds; conversations over a bidirectional stream have no limit. Default 600,000: a turn with many model calls. */
  readonly maxDurationMs?: number;
  /** Steps of the operator's, e.g. who may call: they run after the log and the time limit began, before the request is looked at. */
  readonly interceptors?: readonly Interceptor[];
}

/** Joins services to a registry. Read the pipeline from the top: each step stands around the ones below it. */
export function createRegistry(registrations: readonly ServiceRegistration[], deps: RegistryDeps): Registry {
  const { clock, logger, maxDurationMs = 600_000, interceptors = [] } = deps;
  const types = createTypeRegistry(registrations);
  const handlers = new Map(registrations.flatMap(methodsOf));
  const methods = [...handlers.keys()];
  const byPath = new Map(methods.map((method) => [method.path, method]));
  const pipeline: readonly Interceptor[] = [
    logRequests(clock, logger),
    refuseUnimplemented(), // before anything looks at the request: no mending of it would help
    limitTime(clock, maxDurationMs),
    ...interceptors,
    translateRevisions(createTranslator(types)),
    checkRequiredFields(), // after translation: the rules are those of the inside messages
  ];
  const invocation = pipeline.reduceRight<Invocation>((next, interceptor) => interceptor(next), callHandlers(handlers));
  return { methods, types, find: (path) => byPath.get(path), ...invocation };
}

function methodsOf({
  service,
  also = [],
  implementation,
}: ServiceRegistration): [RegisteredMethod, MethodHandler | undefined][] {
  return [service, ...also].flatMap((revision) =>
    revision.methods.flatMap((method): [RegisteredMethod, MethodHandler | undefined][] => {
      const inside = service.method[method.localName];
      if (!inside) return [];
      const handler = handlerOf(inside, implementation);
      const validatesOnly = minds(implementation[inside.localName]);
      return [
        [registeredMethod(revision, method, inside, { implemented: handler !== undefined, validatesOnly }), handler],
      ];
    }),
  );
}

function registeredMethod(
  service: DescService,
  method: DescMethod,
  inside: DescMethod,
  handler: Pick<RegisteredMethod, "implemented" | "validatesOnly">,
): RegisteredMethod {
  const path = `/${service.typeName}/${method.name}`;
  return Object.freeze({ method, revision: revisionOf(service) ?? INSIDE, inside, path, ...handler });
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

/** Marks a handler that minds `CallContext.validateOnly`. */
export function validating<Handler extends object>(handler: Handler): Handler {
  return Object.assign(handler, { validatesOnly: true });
}

function minds(handler: unknown): boolean {
  return typeof handler === "function" && "validatesOnly" in handler;
}

/** Methods without a handler are refused by name. */
function refuseUnimplemented(): Interceptor {
  const refuse = ({ implemented, method }: RegisteredMethod): void => {
    if (!implemented) throw unimplemented(`${method.parent.typeName}.${method.name}`);
  };
  return (next) => ({
    unary: async (method, request, context) => {
      refuse(method);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      refuse(method);
      return next.stream(method, request, context);
    },
  });
}

/** The end of the pipeline: the handlers themselves. */
function callHandlers(handlers: ReadonlyMap<RegisteredMethod, MethodHandler | undefined>): Invocation {
  const implemented = (method: RegisteredMethod): MethodHandler => {
    const handler = handlers.get(method);
    if (!handler) throw new Error(`${method.path} has no handler and was called`);
    return handler;
  };
  return {
    unary: async (method, request, context) => {
      const handler = implemented(method);
      if (handler.kind !== "unary") throw new Error(`${method.path} streams and was called as unary`);
      if (context.validateOnly && !method.validatesOnly) return create(method.inside.output);
      return whole(method, await handler.run(request, context));
    },
    stream: (method, request, context) =>
      mapStream(runStream(implemented(method), method, request, context), (response) => whole(method, response)),
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

function whole(method: RegisteredMethod, response: unknown): Message {
  return create(method.inside.output, response as MessageInitShape<typeof method.inside.output>);
}

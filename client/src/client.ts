import type { DescMessage, DescService, MessageShape } from "@bufbuild/protobuf";
import {
  type CallOptions,
  type Client,
  Code,
  ConnectError,
  createClient,
  type Interceptor,
  type Transport,
} from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { Operation } from "#gen/google/longrunning/operations";
import { allItems, type ItemOf, type ListMethod, type Page } from "./all-items.ts";
import { type WaitOptions, waitForOperation } from "./operations.ts";
import { type Services, type ServicesV1, servicesOfV1, servicesOver } from "./services.ts";

/** Where a client calls, and as whom. */
export interface ClientOptions {
  /** Of the server, e.g. `https://desk.example.com:8080`. */
  readonly address: string;
  /** Access token, or a function that gives one for each call; sent as `Authorization: Bearer`. Default: none. */
  readonly token?: string | (() => string | Promise<string>);
  /** API key; sent as `x-goog-api-key`. Default: none. */
  readonly apiKey?: string;
  /** Milliseconds after which a call ends with `deadline_exceeded`. Default: the server's own limits. */
  readonly timeoutMs?: number;
  /** For each request, outermost last: logging, retries, headers of your own. */
  readonly interceptors?: readonly Interceptor[];
  /** Replaces `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces Connect over `fetch`, e.g. by `createGrpcTransport` of `@connectrpc/connect-node`; the other options are then unused. */
  readonly transport?: Transport;
}

/** Clients of all services of one server. */
export interface FrontdeskClient extends Services {
  /** The services of v1; the others are v1beta. */
  readonly v1: ServicesV1;
  /** A client of any other service that the server has, by its descriptor. */
  service<Desc extends DescService>(descriptor: Desc): Client<Desc>;
  /** All items of a list, page by page: `for await (const app of client.all(client.apps.listApps, { parent }))`. */
  all<Request extends object, Response extends Page>(
    list: ListMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Response>>;
  /** Waits for a long-running operation: `await client.wait(await client.apps.importApp(…), ImportAppResponseSchema)`. */
  wait<Desc extends DescMessage>(
    operation: Operation,
    response: Desc,
    options?: WaitOptions,
  ): Promise<MessageShape<Desc>>;
}

/**
 * Connects to a server, in Node and in browsers. Opens nothing: the first call does. Failed calls reject with a `ConnectError`, of code `Unavailable` where no
 * server responds. Throws a `TypeError` for what is no address.
 */
export function createFrontdeskClient(options: ClientOptions): FrontdeskClient {
  const transport = options.transport ?? transportOf(options);
  const services = servicesOver(transport);
  return {
    ...services,
    v1: servicesOfV1(transport),
    all: allItems,
    service: (descriptor) => createClient(descriptor, transport),
    wait: (operation, response, waiting) => waitForOperation(services.operations, operation, response, waiting),
  };
}

/** An address, or the path of one on the page's own server. */
const ADDRESS = /^(https?:\/\/[^/]|\/|$)/;

/** What `fetch` says of a server that does not respond names neither; whoever tries again looks at the code. What ends a call on purpose stays as it is. */
function unavailable(address: string, error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const { cause } = error;
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : error.message;
  return new ConnectError(`no server responds at ${address}: ${reason}`, Code.Unavailable, undefined, undefined, error);
}

/** In binary, because operations contain messages of any type, whose JSON only a registry of all types reads. */
function transportOf(options: ClientOptions): Transport {
  const { address, timeoutMs, interceptors = [], fetch = globalThis.fetch } = options;
  if (!ADDRESS.test(address)) throw new TypeError(`address is '${address}'; use one like http://127.0.0.1:8080.`);
  return createConnectTransport({
    baseUrl: address.replace(/\/+$/, ""),
    useBinaryFormat: true,
    interceptors: [...interceptors, withCredentials(options)],
    ...(timeoutMs === undefined ? {} : { defaultTimeoutMs: timeoutMs }),
    fetch: (input, init) => fetch(input, init).catch((error: unknown) => Promise.reject(unavailable(address, error))),
  });
}

function withCredentials({ token, apiKey }: ClientOptions): Interceptor {
  return (next) => async (request) => {
    const text = typeof token === "function" ? await token() : token;
    if (text) request.header.set("authorization", `Bearer ${text}`);
    if (apiKey) request.header.set("x-goog-api-key", apiKey);
    return next(request);
  };
}

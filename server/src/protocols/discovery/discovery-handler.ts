import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "#base";
import type { Registry } from "#rpc";
import type { HttpHandler } from "../contract.ts";
import { HttpError } from "../http/http-error.ts";
import { originOf } from "../http/origin-of.ts";
import { sendJson } from "../http/send.ts";
import { sendEarly } from "../http/send-early.ts";
import { renderError } from "../rest/error.ts";
import { type DescribedApi, describedApis } from "./described-apis.ts";

interface DiscoveryDeps {
  readonly logger: { error(fields: object, message: string): void };
  /** Of this server. */
  readonly version: string;
  /** Public origin of the server, e.g. `https://desk.example.com`. Default: the Host header of the request. */
  readonly origin?: string | undefined;
}

/** `/$discovery/rest`, `/discovery/v1/apis` and what is below it. */
export function isDiscoveryPath(path: string): boolean {
  return path === HOSTED || path === LIST || path.startsWith(`${LIST}/`);
}

const HOSTED = "/$discovery/rest";
const LIST = "/discovery/v1/apis";

/**
 * What clients that are made at run time read of an API, and generators of clients (WIRE-59): the addresses of the hosted services' own
 * description, and those of the directory of all APIs. The definitions are published; no credential is asked for.
 */
export function createDiscoveryHandler(registry: Registry, deps: DiscoveryDeps): HttpHandler {
  let apis: readonly DescribedApi[] | undefined;
  return (request, response) => {
    apis ??= describedApis(registry);
    serve(request, response, apis, deps).catch((error: unknown) => {
      deps.logger.error({ err: error }, "a response could not be sent");
      response.destroy();
    });
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  apis: readonly DescribedApi[],
  { version, origin = originOf(request) }: DiscoveryDeps,
): Promise<void> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new HttpError(405, "UNIMPLEMENTED", "Discovery is read with GET.", { allow: "GET, HEAD" });
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local");
    const answer =
      pathname === LIST
        ? directory(apis, origin)
        : document(select(apis, pathname, searchParams, request), origin, version);
    const indent = searchParams.get("prettyPrint") === "true" ? 2 : 0;
    await sendJson(request, response, 200, JSON.stringify(answer, null, indent));
  } catch (error) {
    const { httpStatus, body, headers } = renderError(error);
    await sendEarly(request, response, httpStatus, JSON.stringify(body), headers);
  }
}

/** The API that a request names. `/$discovery/rest` names the version alone: the host name says the API, or the version that one API has. */
function select(
  apis: readonly DescribedApi[],
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
): DescribedApi {
  const [, ofPath, versionOfPath] = /^\/discovery\/v1\/apis\/([^/]+)\/([^/]+)\/rest$/.exec(path) ?? [];
  if (path !== HOSTED && ofPath === undefined)
    throw new HttpError(404, "NOT_FOUND", `There is nothing at ${path}; use ${LIST}/{api}/{version}/rest.`);
  const version = versionOfPath ?? query.get("version") ?? "v1";
  const host = request.headers.host ?? String(request.headers[":authority"] ?? "");
  const named = ofPath ?? apis.find(({ name }) => host.startsWith(`${name}.`))?.name;
  const found = apis.find((api) => (named === undefined || api.name === named) && api.version === version);
  if (found) return found;
  const known = apis.map((api) => `${api.name} ${api.version}`).join(", ");
  throw new HttpError(
    404,
    "NOT_FOUND",
    `There is no version '${version}' of ${named ?? "an API"} here; there are ${known}.`,
  );
}

function document({ name, version, title, description }: DescribedApi, origin: string, revision: string): JsonObject {
  return {
    ...{ kind: "discovery#restDescription", discoveryVersion: "v1", id: `${name}:${version}`, name, version, revision },
    ...{ title, description: title, ownerDomain: "google.com", ownerName: "Google", protocol: "rest" },
    ...{ rootUrl: `${origin}/`, baseUrl: `${origin}/`, servicePath: "", basePath: "", batchPath: "batch" },
    ...{ fullyEncodeReservedExpansion: true, version_module: true, icons: ICONS },
    ...description(),
  };
}

/** Generators expect both. */
const ICONS = { x16: "", x32: "" };

function directory(apis: readonly DescribedApi[], origin: string): JsonObject {
  const items = apis.map(({ name, version, title }) => ({
    ...{ kind: "discovery#directoryItem", id: `${name}:${version}`, name, version, title, description: title },
    discoveryRestUrl: `${origin}${LIST}/${name}/${version}/rest`,
    preferred: version === "v1",
  }));
  return { kind: "discovery#directoryList", discoveryVersion: "v1", items };
}

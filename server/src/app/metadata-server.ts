import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ANONYMOUS, type Caller, type Clock, type Logger } from "#base";
import { type Authentication, emailOf, METADATA_CREDENTIAL } from "#identity";

/** A metadata server of one service account. */
export interface MetadataSettings {
  /** On 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  readonly account: string;
  /** Id of the account's project. */
  readonly project: string;
}

interface MetadataDeps {
  readonly settings: MetadataSettings;
  readonly accessTokens: Authentication["accessTokens"];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A running metadata server. */
interface MetadataServer {
  /** `127.0.0.1:8180`. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

const BASE = "/computeMetadata/v1/";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const FLAVOR = { "metadata-flavor": "Google", server: "Metadata Server for VM" };

/**
 * What Google's clients ask on a machine of Google's (AUTH-7), on a loopback address of its own: access tokens of one service account, without a
 * key. Every program of this machine can get them.
 */
export async function startMetadataServer(deps: MetadataDeps): Promise<MetadataServer> {
  const answers = createAnswers(deps);
  const server = createServer((request, response) => {
    const answer = refusalOf(request) ?? answers(request);
    deps.logger.debug({ path: request.url, status: answer.status }, "metadata request");
    send(response, answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(deps.settings.port, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly body: string | object;
}

/** Names by which a program of this machine asks: Google's own, which only this machine can point here, and those of the machine. */
const HOSTS = /^(?:metadata(?:\.google\.internal)?|169\.254\.169\.254|localhost|127\.0\.0\.1)(?::\d{1,5})?$/i;

/**
 * A browser cannot send the header without a preflight, and a proxy says that it is one: neither is a program of this machine. A page whose name was made
 * that of this machine sends it without one (DNS rebinding), and has its name in `Host` (AUTH-28).
 */
function refusalOf({ headers }: IncomingMessage): Answer | undefined {
  const { host = "" } = headers;
  if (!HOSTS.test(host)) return { status: 403, body: `The host name ${host} is not one of the metadata server.` };
  if (headers.origin !== undefined) return { status: 403, body: "Requests of web pages are refused." };
  if (headers["metadata-flavor"] !== "Google") return { status: 403, body: "Missing Metadata-Flavor:Google header." };
  if (headers["x-forwarded-for"] !== undefined) return { status: 403, body: "Requests through a proxy are refused." };
  return undefined;
}

function createAnswers({ settings, accessTokens, clock }: MetadataDeps): (request: IncomingMessage) => Answer {
  const { account, project } = settings;
  const email = emailOf({ account, project });
  const token = (scopes: readonly string[]): object => {
    const caller: Caller = {
      ...ANONYMOUS,
      ...{ kind: "serviceAccount", principal: `serviceAccount:${email}`, credentialId: METADATA_CREDENTIAL },
      ...(scopes.length > 0 && { scopes }),
    };
    const { token, expiresAt } = accessTokens.issue(caller);
    const expires_in = Math.floor((expiresAt - clock.now()) / 1_000);
    return { access_token: token, expires_in, token_type: "Bearer" };
  };
  const values: Readonly<Record<string, (query: URLSearchParams) => string | object>> = {
    "project/project-id": () => project,
    "project/numeric-project-id": () => "0",
    "universe/universe-domain": () => "googleapis.com",
    "instance/service-accounts/": () => `default/\n${email}/\n`,
    "instance/service-accounts/default/": () => ({ aliases: ["default"], email, scopes: [SCOPE] }),
    "instance/service-accounts/default/email": () => email,
    "instance/service-accounts/default/scopes": () => `${SCOPE}\n`,
    "instance/service-accounts/default/aliases": () => "default\n",
    "instance/service-accounts/default/token": (query) => token(listOf(query.get("scopes"))),
  };
  return ({ url = "/" }) => {
    const { pathname, searchParams } = new URL(url, "http://metadata.google.internal");
    if (pathname === "/") return { status: 200, body: "computeMetadata/\n" };
    const path = pathname.slice(BASE.length).replace(`service-accounts/${email}/`, "service-accounts/default/");
    const value = pathname.startsWith(BASE) && Object.hasOwn(values, path) ? values[path] : undefined;
    return value
      ? { status: 200, body: value(searchParams) }
      : { status: 404, body: `There is nothing at ${pathname}.` };
  };
}

function listOf(text: string | null): readonly string[] {
  return (text ?? "").split(",").filter((item) => item !== "");
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const isText = typeof body === "string";
  response.writeHead(status, { ...FLAVOR, "content-type": isText ? "application/text" : "application/json" });
  response.end(isText ? body : JSON.stringify(body));
}

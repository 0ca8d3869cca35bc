import type { IncomingMessage } from "node:http";
import { isJsonObject } from "#base";
import { cookiesOf, SESSION_COOKIE, SignInError, setCookie } from "#identity";
import { logFailedRequest, logRequest } from "#rpc";
import { Code, ConnectError, invalidArgument, permissionDenied } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { type Exchange, openExchange, type ResolvedDeps, resolveDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { requestPath } from "../http/request-target.ts";
import { sendJson } from "../http/send.ts";
import { sendEarly } from "../http/send-early.ts";
import { identifySender } from "../http/sender.ts";
import { parseJson } from "../json/parse-json.ts";
import { renderError } from "../rest/error.ts";
import { NO_STORE, type Page, type RecordSignIn, type SignInParts, type SignInServer } from "./contract.ts";
import { DEVICE_PAGES } from "./device-pages.ts";
import { recordEvent } from "./record-event.ts";

/** Cookie of a sign-in that began. */
const LOGIN_COOKIE = "frontdesk_login";

/** Where the console says what went wrong. */
const SIGN_IN_PAGE = "/console/sign-in";

const PAGES: Readonly<Record<string, Page>> = {
  "GET /auth/login": login,
  "GET /auth/callback": callback,
  "GET /auth/session": session,
  "POST /auth/logout": logout,
  "POST /auth/links": makeLink,
  ...DEVICE_PAGES,
};

/** Signing in to the console, and out of it (AUTH-17, AUTH-20, AUTH-21). */
export function createSignInHandler(parts: SignInParts, deps: ProtocolDeps, record: RecordSignIn): HttpHandler {
  const server: SignInServer = {
    parts,
    record,
    deps: resolveDeps({ ...deps, limits: { maxBodyBytes: 64 * 1024, bodyTimeoutMs: 10_000 } }),
  };
  const { logger, clock } = server.deps;

  const serve = async (exchange: Exchange, lineOf: () => Parameters<typeof logRequest>[2]): Promise<void> => {
    const url = new URL(exchange.request.url ?? "/", "http://localhost");
    const page = PAGES[`${exchange.request.method} ${url.pathname}`];
    if (!page) throw new HttpError(404, "NOT_FOUND", `There is nothing at ${exchange.request.method} ${url.pathname}.`);
    await page(exchange, url, server);
    logRequest(logger, clock, lineOf());
  };

  return (request, response) => {
    const exchange = openExchange(request, response, server.deps);
    const { requestId, startedAt } = exchange;
    const path = requestPath(request);
    const lineOf = () => ({ method: `${request.method} ${path}`, protocol: "rest", requestId, startedAt }) as const;
    serve(exchange, lineOf)
      .catch(async (error: unknown) => {
        if (response.destroyed) return;
        if (error instanceof HttpError) logRequest(logger, clock, lineOf(), error.body.error.status);
        else logFailedRequest(logger, clock, lineOf(), error);
        const { httpStatus, body, headers } = renderError(error);
        await sendEarly(request, response, httpStatus, JSON.stringify(body), { ...NO_STORE, ...headers });
      })
      .catch((error: unknown) => {
        logger.error({ err: error, requestId }, "a response could not be sent");
        response.destroy();
      });
  };
}

/** Begins a sign-in: by a one-time link, else at the issuer. `return` is the page to come back to. */
async function login(exchange: Exchange, url: URL, server: SignInServer): Promise<void> {
  const { links, signIn, addresses } = server.parts;
  const returnTo = localPath(url.searchParams.get("return"));
  const token = url.searchParams.get("link");
  if (token !== null) {
    const person = await links.use(token);
    if (!person) return refuse(exchange, "expired", returnTo, server);
    return beginSession(exchange, person, returnTo, server);
  }
  if (!signIn) return redirect(exchange, faultPage("no-issuer", returnTo));
  // The issuer sends the browser back to the configured address, and the cookie has to be there.
  const { origin } = addresses;
  if (hostOf(exchange.request.headers) !== new URL(origin).host)
    return redirect(exchange, `${origin}/auth/login${url.search}`);
  try {
    const { url: issuerUrl, cookie } = await signIn.begin(returnTo);
    redirect(exchange, issuerUrl, [loginCookie(exchange.request, cookie, 600, origin)]);
  } catch (error) {
    await refuse(exchange, faultOf(error), returnTo, server);
  }
}

/** The issuer sent the browser back. */
async function callback(exchange: Exchange, url: URL, server: SignInServer): Promise<void> {
  const { signIn, addresses } = server.parts;
  if (!signIn) return redirect(exchange, faultPage("no-issuer", "/"));
  const cookie = cookiesOf(exchange.request.headers.cookie).get(LOGIN_COOKIE);
  try {
    const { person, returnTo } = await signIn.finish(url, cookie);
    await beginSession(exchange, person, returnTo, server);
  } catch (error) {
    const cleared = loginCookie(exchange.request, "", 0, addresses.origin);
    await refuse(exchange, faultOf(error), "/", server, [cleared]);
  }
}

async function beginSession(
  exchange: Exchange,
  person: Parameters<SignInParts["sessions"]["begin"]>[0],
  returnTo: string,
  server: SignInServer,
): Promise<void> {
  const { parts, deps } = server;
  const { cookie, expiresAt } = await parts.sessions.begin(person);
  await recordEvent(exchange, "SignIn", server, { ...person, credentialId: person.by });
  const maxAge = Math.floor((expiresAt - deps.clock.now()) / 1_000);
  const { request } = exchange;
  const { origin } = parts.addresses;
  redirect(exchange, returnTo, [
    setCookie(SESSION_COOKIE, cookie, { maxAge, secure: isSecure(request, origin), path: "/" }),
    loginCookie(request, "", 0, origin),
  ]);
}

/** Who is signed in, and how to. Nobody is not an error: the console asks this first. */
async function session({ request, response }: Exchange, _url: URL, { parts, deps }: SignInServer): Promise<void> {
  const { mode, signIn, sessions } = parts;
  const cookie = cookiesOf(request.headers.cookie).get(SESSION_COOKIE);
  const caller = await callerOf(request, deps);
  const signInBy = signIn ? { issuer: signIn.issuer, url: "/auth/login" } : { link: true };
  const isKnown = caller !== undefined && caller.kind !== "anonymous";
  const person = isKnown && {
    person: { kind: caller.kind, principal: caller.principal, ...namesOf(caller.claims) },
    ...(caller.expiresAt !== undefined && { expireTime: new Date(caller.expiresAt).toISOString() }),
    ...(cookie !== undefined && { csrfToken: sessions.csrfToken(cookie) }),
  };
  const body = { authentication: mode, ...(mode === "required" && { signIn: signInBy }), ...person };
  await sendJson(request, response, 200, JSON.stringify(body), NO_STORE);
}

/** The caller; undefined for a session that has ended. */
async function callerOf(request: IncomingMessage, deps: ResolvedDeps) {
  try {
    return (await identifySender(request, deps)).caller;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unauthenticated) return undefined;
    throw error;
  }
}

function namesOf({ name, email }: Readonly<Record<string, unknown>>): object {
  return { ...(typeof name === "string" && { name }), ...(typeof email === "string" && { email }) };
}

async function logout(exchange: Exchange, _url: URL, server: SignInServer): Promise<void> {
  const { request, response } = exchange;
  const { parts, deps } = server;
  const cookie = cookiesOf(request.headers.cookie).get(SESSION_COOKIE);
  const caller = await callerOf(request, deps);
  if (cookie !== undefined && caller) {
    await parts.sessions.end(cookie);
    await recordEvent(exchange, "SignOut", server, caller);
  }
  const cleared = setCookie(SESSION_COOKIE, "", {
    maxAge: 0,
    secure: isSecure(request, parts.addresses.origin),
    path: "/",
  });
  await sendJson(request, response, 200, "{}", { ...NO_STORE, "set-cookie": cleared });
}

/** The operator makes a link for a person, or for the operator. */
async function makeLink(exchange: Exchange, _url: URL, server: SignInServer): Promise<void> {
  const { request, response } = exchange;
  const { parts, deps } = server;
  const { caller } = await identifySender(request, deps);
  if (caller.kind !== "operator")
    throw permissionDenied("Only the operator at the machine makes links: frontdesk auth link.", {
      reason: "OPERATOR_REQUIRED",
    });
  const principal = principalOf(await readBody(request, deps.limits));
  const url = await linkUrl(parts, principal);
  await recordEvent(exchange, "MakeSignInLink", server, caller);
  await sendJson(request, response, 200, JSON.stringify({ url }), NO_STORE);
}

/** The address that signs in whoever opens it first. `principal`: "" for the operator. */
export async function linkUrl(
  { addresses, links }: Pick<SignInParts, "addresses" | "links">,
  principal: string,
): Promise<string> {
  return `${addresses.origin}/auth/login?link=${await links.make(principal)}`;
}

function principalOf(body: Buffer): string {
  if (body.length === 0) return "";
  const parsed = parseJson(body);
  const { principal = "" } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : { principal: null };
  if (principal === "" || (typeof principal === "string" && /^user:[^\s@]+@[^\s@]+$/.test(principal)))
    return principal.toLowerCase();
  throw invalidArgument({ field: "principal", description: "must look like user:ann@example.com, or be absent" });
}

function redirect({ response }: Exchange, location: string, cookies: readonly string[] = []): void {
  response.writeHead(302, { ...NO_STORE, location, ...(cookies.length > 0 && { "set-cookie": [...cookies] }) });
  response.end();
}

/** Back to the page that says what went wrong. */
async function refuse(
  exchange: Exchange,
  fault: string,
  returnTo: string,
  server: SignInServer,
  cookies: readonly string[] = [],
): Promise<void> {
  await server.record({
    action: "SignIn",
    address: server.deps.peerOf(exchange.request).address,
    requestId: exchange.requestId,
    fault,
  });
  redirect(exchange, faultPage(fault, returnTo), cookies);
}

function faultPage(fault: string, returnTo: string): string {
  return `${SIGN_IN_PAGE}?${new URLSearchParams({ fault, return: returnTo })}`;
}

function faultOf(error: unknown): string {
  if (error instanceof SignInError) return error.fault;
  throw error;
}

/** A path of this server: an address of another would let a link send people anywhere. */
function localPath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])/.test(path)) return "/";
  const url = URL.parse(path, "http://localhost");
  // `/.//other.example` is a path here, and an address of another site once its dots are resolved.
  if (url?.origin !== "http://localhost" || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

function loginCookie(request: IncomingMessage, value: string, maxAge: number, origin: string): string {
  return setCookie(LOGIN_COOKIE, value, { maxAge, secure: isSecure(request, origin), path: "/auth" });
}

/** Whether the browser speaks TLS: to this server, or to a proxy before it that has the configured origin. */
function isSecure({ socket, headers }: IncomingMessage, origin: string): boolean {
  if ("encrypted" in socket && socket.encrypted === true) return true;
  return origin.startsWith("https:") && new URL(origin).host === hostOf(headers);
}

function hostOf(headers: IncomingMessage["headers"]): string {
  return headers.host ?? String(headers[":authority"] ?? "");
}

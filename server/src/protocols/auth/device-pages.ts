import type { IncomingMessage } from "node:http";
import { type Caller, isJsonObject } from "#base";
import { cookiesOf, POLL_INTERVAL_S, SESSION_COOKIE } from "#identity";
import { invalidArgument, notFound, permissionDenied, unauthenticated } from "#status";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { identifySender } from "../http/sender.ts";
import { parseJson } from "../json/parse-json.ts";
import { NO_STORE, type Page, type SignInServer } from "./contract.ts";
import { recordEvent } from "./record-event.ts";

/** Where a person allows a login, in the console. */
const DEVICE_PAGE = "/console/device";

/** Logins of programs that have no browser, by the device flow (AUTH-22). */
export const DEVICE_PAGES: Readonly<Record<string, Page>> = {
  "POST /auth/device": begin,
  "GET /auth/device": waiting,
  "POST /auth/device/decide": decide,
  "POST /auth/revoke": revoke,
};

/** The device authorization endpoint (RFC 8628, 3.2). The form of the request has nothing that is needed. */
async function begin({ request, response }: Parameters<Page>[0], _url: URL, { parts, deps }: SignInServer) {
  if (parts.mode === "off")
    throw permissionDenied("This server does not ask who calls. No login is needed.", { reason: "SIGN_IN_OFF" });
  const { deviceCode, userCode, expiresInS } = await parts.deviceLogins.begin(deps.peerOf(request).address);
  const page = `${parts.addresses.origin}${DEVICE_PAGE}`;
  const body = {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${userCode}`,
    expires_in: expiresInS,
    interval: POLL_INTERVAL_S,
  };
  await sendJson(request, response, 200, JSON.stringify(body), NO_STORE);
}

/** From where a login was begun, for the person who is to allow it. */
async function waiting({ request, response }: Parameters<Page>[0], url: URL, { parts, deps }: SignInServer) {
  const { caller } = await identifySender(request, deps);
  if (caller.kind === "anonymous") throw signInFirst();
  const userCode = url.searchParams.get("code") ?? "";
  const login = await parts.deviceLogins.waiting(userCode);
  if (!login) throw unknownCode(userCode);
  const body = { address: login.address, requestTime: new Date(login.beganAt).toISOString() };
  await sendJson(request, response, 200, JSON.stringify(body), NO_STORE);
}

/** The person decides: `{"userCode": "BCDF-GHJK", "allow": true}`. */
async function decide(exchange: Parameters<Page>[0], _url: URL, server: SignInServer) {
  const { request, response } = exchange;
  const { parts, deps } = server;
  const person = await personOf(request, parts);
  const parsed = parseJson(await readBody(request, deps.limits));
  const { userCode, allow } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (typeof userCode !== "string" || typeof allow !== "boolean")
    throw invalidArgument({ field: "allow", description: 'send {"userCode": "…", "allow": true} or false' });
  if (!(await parts.deviceLogins.decide(userCode, allow ? person : undefined))) throw unknownCode(userCode);
  await recordEvent(exchange, allow ? "AllowLogin" : "DenyLogin", server, person);
  await sendJson(request, response, 200, "{}", NO_STORE);
}

/** A program cannot allow a program: only who is signed in to the console can. */
async function personOf({ headers }: IncomingMessage, { sessions }: SignInServer["parts"]): Promise<Caller> {
  const cookie = cookiesOf(headers.cookie).get(SESSION_COOKIE);
  if (cookie === undefined) throw signInFirst();
  const person = await sessions.verify(cookie);
  sessions.checkCsrf(cookie, String(headers["x-frontdesk-csrf"] ?? ""));
  if (person.kind === "operator")
    throw permissionDenied(
      "The operator cannot be logged in elsewhere. Sign in to the console as a person: frontdesk auth link --user you@example.com.",
      { reason: "PERSON_REQUIRED" },
    );
  return person;
}

/** Ends a refresh token (RFC 7009). The answer does not tell whether there was one. */
async function revoke({ request, response }: Parameters<Page>[0], _url: URL, { parts, deps }: SignInServer) {
  const form = new URLSearchParams((await readBody(request, deps.limits)).toString());
  await parts.refreshTokens.revoke(form.get("token") ?? "");
  await sendJson(request, response, 200, "{}", NO_STORE);
}

function signInFirst() {
  return unauthenticated("Sign in to the console first.", { reason: "CREDENTIALS_MISSING" });
}

function unknownCode(userCode: string) {
  return notFound(userCode, "frontdesk/DeviceLogin");
}

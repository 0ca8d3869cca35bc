import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject } from "#base";
import { CommandError } from "../command.ts";
import { fileErrorReason } from "../file-error.ts";
import { settingsFolder } from "../server/server-address.ts";
import type { TokenSource } from "./bearer-token.ts";
import { postForm } from "./post-form.ts";

/** What `frontdesk login` stored for one server. */
interface StoredLogin {
  readonly refreshToken: string;
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** An access token is not used in its last minute. */
const RESERVE_MS = 60_000;

/** The tokens of the login for a server; undefined when nobody is logged in there. */
export function storedLogin(address: string): TokenSource | undefined {
  const { origin } = new URL(address);
  const login = readLogin(origin);
  if (!login) return undefined;
  return async () => {
    if (login.expiresAt - RESERVE_MS > Date.now()) return login.accessToken;
    const { ok, body } = await postForm(`${origin}/token`, {
      grant_type: "refresh_token",
      refresh_token: login.refreshToken,
    });
    if (!ok) throw new CommandError(`The login at ${origin} has ended. Log in again: frontdesk login ${origin}`);
    const renewed = loginOf(body, login.refreshToken);
    writeLogin(origin, renewed);
    return renewed.accessToken;
  };
}

/** The login in an answer of the token endpoint, which names a refresh token at the first time only. */
export function loginOf(body: JsonObject, refreshToken = String(body.refresh_token)): StoredLogin {
  const expiresAt = Date.now() + Number(body.expires_in) * 1_000;
  return { refreshToken, accessToken: String(body.access_token), expiresAt };
}

/** The login that is stored for a server; undefined where there is none. */
export function readLogin(origin: string): StoredLogin | undefined {
  const login = readAll()[origin];
  return login as StoredLogin | undefined;
}

/** `login`: undefined removes it. */
export function writeLogin(origin: string, login: StoredLogin | undefined): void {
  const { [origin]: _, ...others } = readAll();
  const path = pathOfLogins();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, JSON.stringify({ ...others, ...(login && { [origin]: login }) }), { mode: 0o600 });
  renameSync(part, path);
}

function readAll(): JsonObject {
  try {
    const logins: unknown = JSON.parse(readFileSync(pathOfLogins(), "utf8"));
    return isJsonObject(logins) ? logins : {};
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    const reason = fileErrorReason(error as Error);
    // What the system refuses to read is not broken.
    if (reason !== undefined) throw new CommandError(`${pathOfLogins()} cannot be read: ${reason}.`);
    throw new CommandError(
      `${pathOfLogins()} cannot be read: ${(error as Error).message}. Delete it and log in again.`,
    );
  }
}

/** Logins of this user. */
const pathOfLogins = () => join(settingsFolder(), "logins.json");

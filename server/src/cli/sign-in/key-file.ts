import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "#base";
import { CommandError } from "../command.ts";
import type { TokenSource } from "./bearer-token.ts";

/** How long a token that is signed here is valid, seconds: the longest that servers accept. */
const LIFETIME_S = 3_600;

/** Google's services take a token that a service account's key signs for them. */
const HOSTED = /(?:^|\.)googleapis\.com$/;

/**
 * The tokens of a file as `GOOGLE_APPLICATION_CREDENTIALS` names it, when it is for this server: a key of `frontdesk auth create-key`, Google's key of a
 * service account for Google's own addresses, or the configuration of a workload that exchanges its tokens at the server's address. A file for another
 * server is undefined and nothing of it is sent. `setting` names it in errors. Throws `CommandError` for a file that cannot be read.
 */
export function keyFileTokens(setting: string, path: string, address: string): TokenSource | undefined {
  const file = readKeyFile(setting, path);
  const { origin, hostname, protocol } = new URL(address);
  const isHosted = protocol === "https:" && HOSTED.test(hostname);
  if (isKey(file) && isHosted !== isOwn(file)) return () => signedToken(file, origin);
  const { type, token_url: url } = file;
  if (type === "external_account" && typeof url === "string" && URL.parse(url)?.origin === origin)
    return () => exchangedToken(file);
  return undefined;
}

function readKeyFile(setting: string, path: string): JsonObject {
  try {
    const file: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isJsonObject(file)) return file;
    throw new Error("it is not a JSON object");
  } catch (error) {
    throw new CommandError(`${setting}: ${path} cannot be used: ${(error as Error).message}`);
  }
}

interface Key extends JsonObject {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id: string;
}

function isKey(file: JsonObject): file is Key {
  const { type, client_email: email, private_key: key, private_key_id: id } = file;
  return type === "service_account" && [email, key, id].every((field) => typeof field === "string");
}

/** Whether a Frontdesk server made the key. */
function isOwn({ client_email: email }: Key): boolean {
  return email.endsWith(".frontdesk.local");
}

/** A JWT that the key signs itself, for this server and no other (AUTH-2). */
async function signedToken({ client_email: email, private_key: key, private_key_id: kid }: Key, origin: string) {
  const { importPKCS8, SignJWT } = await import("jose");
  return new SignJWT({})
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
    .setIssuer(email)
    .setSubject(email)
    .setAudience(`${origin}/`)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_S}s`)
    .sign(await importPKCS8(key, "RS256"));
}

async function exchangedToken(file: JsonObject): Promise<string> {
  const { ExternalAccountClient } = await import("google-auth-library");
  const client = ExternalAccountClient.fromJSON(file as never);
  const token = (await client?.getAccessToken())?.token;
  if (token) return token;
  throw new CommandError("GOOGLE_APPLICATION_CREDENTIALS: the exchange of the workload's token gave none.");
}

import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "#base";
import { CommandError } from "../command.ts";
import type { TokenSource } from "./bearer-token.ts";

/** How long a token that is signed here is valid, seconds: the longest that servers accept. */
const LIFETIME_S = 3_600;

/**
 * The tokens of the file that `GOOGLE_APPLICATION_CREDENTIALS` names, when it is for this server: a key of `frontdesk auth create-key`, or the
 * configuration of a workload that exchanges its tokens at the server's address. A file of somebody else, such as Google, is undefined and
 * nothing of it is sent. Throws `CommandError` for a file that cannot be read.
 */
export function keyFileTokens(path: string, address: string): TokenSource | undefined {
  const file = readKeyFile(path);
  const { origin } = new URL(address);
  if (isOwnKey(file)) return () => signedToken(file, origin);
  const { type, token_url: url } = file;
  if (type === "external_account" && typeof url === "string" && URL.parse(url)?.origin === origin)
    return () => exchangedToken(file);
  return undefined;
}

function readKeyFile(path: string): JsonObject {
  try {
    const file: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isJsonObject(file)) return file;
    throw new Error("it is not a JSON object");
  } catch (error) {
    throw new CommandError(`GOOGLE_APPLICATION_CREDENTIALS: ${path} cannot be used: ${(error as Error).message}`);
  }
}

interface OwnKey extends JsonObject {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id: string;
}

function isOwnKey(file: JsonObject): file is OwnKey {
  const { type, client_email: email, private_key: key, private_key_id: id } = file;
  const isKey = type === "service_account" && typeof key === "string" && typeof id === "string";
  return isKey && typeof email === "string" && email.endsWith(".frontdesk.local");
}

/** A JWT that the key signs itself, for this server and no other (AUTH-2). */
async function signedToken({ client_email: email, private_key: key, private_key_id: kid }: OwnKey, origin: string) {
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

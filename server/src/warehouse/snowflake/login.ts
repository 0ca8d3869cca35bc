import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { QueryError } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import { type HttpAddress, readHttpAddress, requireTls } from "../remote/http/http-client.ts";

const FORM = "https://user:token@account.snowflakecomputing.com/DATABASE/SCHEMA?warehouse=NAME&role=NAME";
const TOKENS: Readonly<Record<string, string>> = {
  programmatic_access_token: "PROGRAMMATIC_ACCESS_TOKEN",
  oauth: "OAUTH",
};
const OPTIONS = ["warehouse", "role", "authenticator", "private-key", "account"];
const LIFETIME_S = 600;

/** Where Snowflake is, what runs the queries, and who asks. */
export interface SnowflakeAddress {
  readonly http: HttpAddress;
  readonly database: string;
  /** What datasets show; undefined where nobody said. */
  readonly schema: string | undefined;
  readonly warehouse: string | undefined;
  readonly role: string | undefined;
}

/** Throws a `QueryError` without the string, which has a token. */
export function readSnowflakeAddress(mapping: OpenedMapping): SnowflakeAddress {
  const http = readHttpAddress(mapping, FORM, OPTIONS);
  requireTls("Snowflake", http);
  const [database, schema] = http.path;
  if (!database) throw new QueryError("failed", `The connection string names no database; it must be ${FORM}.`);
  const option = (name: string) => http.options.get(name) ?? undefined;
  return { http, database, schema, warehouse: option("warehouse"), role: option("role") };
}

/**
 * The headers that name the caller: a token for a key pair, where the connection string has `private-key` (a file; the password is its passphrase), else the
 * password as the token, whose kind `authenticator` says (`programmatic_access_token`, which is the default, or `oauth`).
 */
export function loginHeaders({ http }: SnowflakeAddress, now = Date.now()): Readonly<Record<string, string>> {
  const file = http.options.get("private-key");
  if (file) return bearer(keyPairToken(http, readFileSync(file, "utf8"), now), "KEYPAIR_JWT");
  const kind = TOKENS[http.options.get("authenticator") ?? "programmatic_access_token"];
  if (!kind || http.password === "")
    throw new QueryError(
      "failed",
      `The connection string of Snowflake needs a token or private-key=FILE; authenticator may be ${Object.keys(TOKENS).join(" or ")}.`,
    );
  return bearer(http.password, kind);
}

function bearer(token: string, kind: string) {
  return { authorization: `Bearer ${token}`, "x-snowflake-authorization-token-type": kind };
}

/** A JSON Web Token that a user signs with the key that Snowflake knows the public half of. */
function keyPairToken({ origin, user, password, options }: HttpAddress, pem: string, now: number): string {
  const key = createPrivateKey({ key: pem, ...(password !== "" && { passphrase: password }) });
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  const fingerprint = `SHA256:${createHash("sha256").update(der).digest("base64")}`;
  // The account is the first part of the host; a region behind it does not count.
  const account = options.get("account") ?? new URL(origin).hostname.split(".")[0] ?? "";
  const subject = `${account}.${user}`.toUpperCase();
  const iat = Math.floor(now / 1000);
  const claims = { iss: `${subject}.${fingerprint}`, sub: subject, iat, exp: iat + LIFETIME_S };
  const signed = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

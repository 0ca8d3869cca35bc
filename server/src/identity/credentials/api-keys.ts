import { randomBytes } from "node:crypto";
import { ANONYMOUS, type Caller, definedFields } from "#base";
import { refused } from "../refusals.ts";
import type { TokenVerifier } from "../tokens/token-verifier.ts";
import type { Credential } from "./contract.ts";
import { type Credentials, digestOf, hasSecret } from "./credentials.ts";

/** What an API key is made for. */
interface ApiKeyRequest {
  readonly parent: string;
  readonly displayName: string;
  readonly createdBy: string;
  /** Names of projects or apps that it is good for. Default: its project. */
  readonly within: readonly string[];
  /** Milliseconds since the epoch. Default never. */
  readonly expireTime?: number;
}

/** A secret that is shown once. */
export interface IssuedCredential {
  readonly credential: Credential;
  readonly secret: string;
}

/** API keys: `fdkey1.{id}.{secret}` (AUTH-9). Only the digest of the secret is stored. */
export interface ApiKeys extends TokenVerifier {
  issue(request: ApiKeyRequest): Promise<IssuedCredential>;
}

const FORM = /^fdkey1\.(?<id>[a-z0-9]{20})\.(?<secret>[\w-]{43})$/;

/** Makes and verifies API keys, which are stored among the credentials. */
export function createApiKeys(credentials: Credentials): ApiKeys {
  return {
    async issue({ within, ...request }) {
      const id = randomBytes(10).toString("hex");
      const secret = `fdkey1.${id}.${randomBytes(32).toString("base64url")}`;
      const credential = await credentials.add({
        ...request,
        ...{ id, kind: "api-key", principal: `apiKey:${id}`, secretDigest: digestOf(secret), within },
      });
      return { credential, secret };
    },
    async verify(token) {
      if (!token.startsWith("fdkey1.")) return undefined;
      const { id } = FORM.exec(token)?.groups ?? {};
      const credential = id === undefined ? undefined : await credentials.find(id);
      if (credential?.kind !== "api-key" || !hasSecret(credential, token)) throw invalidApiKey();
      return callerOf(credential);
    },
  };
}

/** For keys of other forms too, which only say that they are keys by where they are sent. */
export function invalidApiKey(): Error {
  return refused(
    "API_KEY_INVALID",
    "API key not valid. Please pass a valid API key: this server has none like it, or it was revoked or has expired.",
  );
}

function callerOf({ id, principal, expireTime, within }: Credential): Caller {
  return Object.freeze({
    ...ANONYMOUS,
    ...{ kind: "apiKey", principal, credentialId: id },
    ...definedFields({ within, expiresAt: expireTime }),
  } as const);
}

import { generateKeyPair, randomBytes, randomInt } from "node:crypto";
import { promisify } from "node:util";
import type { JWK } from "jose";
import { definedFields } from "#base";
import type { IssuedCredential } from "./api-keys.ts";
import type { Credentials } from "./credentials.ts";
import { accountPrincipal, emailOf, type ServiceAccount } from "./service-accounts.ts";

/** What a key is made for. */
interface AccountKeyRequest extends ServiceAccount {
  readonly displayName: string;
  readonly createdBy: string;
  /** Milliseconds since the epoch. Default never. */
  readonly expireTime?: number;
  /** Address of the token endpoint, for the key file. */
  readonly tokenUri: string;
  /** Universe that the key file names. Default none: clients then expect the usual one. */
  readonly universe?: string;
}

/** Keys of service accounts. */
export interface AccountKeys {
  /** The secret is the text of a key file, as Google's clients read it (AUTH-1). The private key is kept nowhere. */
  issue(request: AccountKeyRequest): Promise<IssuedCredential>;
}

const generate = promisify(generateKeyPair);

/** Makes RSA keys of 2,048 bits. Of a key, the public half is stored. */
export function createAccountKeys(credentials: Credentials): AccountKeys {
  return {
    async issue(request) {
      const { account, project, displayName, createdBy, expireTime } = request;
      const { publicKey, privateKey } = await generate("rsa", { modulusLength: 2_048 });
      const id = randomBytes(20).toString("hex");
      const email = emailOf({ account, project });
      const credential = await credentials.add({
        ...{ id, parent: `projects/${project}`, kind: "service-account-key", secretDigest: "", displayName, createdBy },
        ...{ principal: accountPrincipal(email), publicKey: publicKey.export({ format: "jwk" }) as JWK },
        ...definedFields({ expireTime }),
      });
      const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
      return { credential, secret: `${JSON.stringify(keyFile(request, email, id, pem), null, 2)}\n` };
    },
  };
}

function keyFile({ project, tokenUri, universe }: AccountKeyRequest, email: string, id: string, pem: string): object {
  return {
    type: "service_account",
    project_id: project,
    private_key_id: id,
    private_key: pem,
    client_email: email,
    client_id: `1${Array.from({ length: 20 }, () => randomInt(10)).join("")}`,
    token_uri: tokenUri,
    ...(universe !== undefined && { universe_domain: universe }),
  };
}

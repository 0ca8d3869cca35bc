import { createPrivateKey, type KeyObject } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { BindingSchema } from "@frontdesk/protos/google/iam/v1/policy";
import { Credential_Kind as Kind } from "@frontdesk/protos/identity/credential_service";
import { createRoles } from "#access";
import type { Config } from "#app";
import { startTestServer, type TestServer, type TestServerOptions } from "#testing";

export const PROJECT = "projects/local";
export const LOCATION = `${PROJECT}/locations/us`;

type AuthSettings = Config["auth"];

/** A server that wants to know its callers. */
export interface AuthServer extends TestServer {
  /** Calls REST, in plain text. `credential`: a header, or undefined for none. */
  call(path: string, credential?: Readonly<Record<string, string>>, init?: RequestInit): Promise<Response>;
  /** As the operator at the machine. */
  readonly operator: Readonly<Record<string, string>>;
  /** Makes a key over the API. */
  createKey(account: string, query?: string): Promise<AccountKey>;
  createApiKey(more?: object): Promise<{ readonly name: string; readonly text: string }>;
}

/** A key of a service account, and what it is for tests. */
export interface AccountKey {
  /** `projects/local/credentials/…`. */
  readonly name: string;
  /** The key file. */
  readonly text: string;
  readonly email: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
}

interface AuthServerOptions extends TestServerOptions {
  readonly auth?: Partial<AuthSettings>;
}

/** Whoever is known may do everything: what callers may do is another matter. */
const ACCESS: Config["access"] = {
  roles: createRoles(),
  bindings: [create(BindingSchema, { role: "roles/owner", members: ["allAuthenticatedUsers"] })],
};

const SETTINGS: AuthSettings = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };

export async function startAuthServer({ auth, config, ...options }: AuthServerOptions = {}): Promise<AuthServer> {
  const server = await startTestServer({
    ...options,
    config: { auth: { ...SETTINGS, ...auth }, access: ACCESS, ...config },
  });
  const operator = bearer(server.app.authentication.operatorToken.text);
  const call: AuthServer["call"] = (path, credential = {}, init = {}) =>
    fetch(`${server.address.replace("https:", "http:")}${path}`, {
      ...init,
      headers: { ...init.headers, ...credential },
    });
  const issue = async (body: object, query = ""): Promise<{ readonly name: string; readonly secret: string }> => {
    const headers = { "content-type": "application/json" };
    const response = await call(`/v1beta/${PROJECT}/credentials${query}`, operator, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { readonly name: string; readonly secret: string };
  };
  return {
    ...server,
    operator,
    call,
    createKey: async (account, query) => {
      const { name, secret } = await issue({ kind: Kind[Kind.SERVICE_ACCOUNT_KEY], account }, query);
      const file = JSON.parse(secret) as { client_email: string; private_key_id: string; private_key: string };
      const privateKey = createPrivateKey(file.private_key);
      return { name, text: secret, email: file.client_email, kid: file.private_key_id, privateKey };
    },
    createApiKey: async (more = {}) => {
      const { name, secret } = await issue({ kind: Kind[Kind.API_KEY], ...more });
      return { name, text: secret };
    },
  };
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

import assert from "node:assert/strict";
import type { Config } from "#app";
import { startTestServer, type TestServer, type TestServerOptions } from "#testing";

/** Members of policies by a short name, each with a bearer token. */
export const memberOf = (name: string) => `user:${name}@example.com`;
export const tokenOf = (name: string) => `token-of-${name}-0123456789`;

/** Starts a server that refuses what callers may not do. `root` owns it; the others have no role. */
export function startAccessServer(
  names: readonly string[],
  { config, ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const identities = ["root", ...names].map((name) => ({
    principal: memberOf(name),
    token: tokenOf(name),
    roles: name === "root" ? ["roles/owner"] : [],
  }));
  const auth: Config["auth"] = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };
  return startTestServer({ ...options, config: { auth, identities, ...config } });
}

/** An answer over REST. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  readonly json: any;
}

/** Calls v1beta over REST in the name of a member; "" for nobody. */
export async function callAs(
  server: { readonly address: string },
  name: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(name !== "" && { authorization: `Bearer ${tokenOf(name)}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

/** Gives members roles on a project, an app or a data agent, in place of all others. */
export async function setRoles(
  server: { readonly address: string },
  resource: string,
  roles: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const bindings = Object.entries(roles).map(([role, names]) => ({ role, members: names.map(memberOf) }));
  const answer = await callAs(server, "root", "POST", `${resource}:setIamPolicy`, { policy: { bindings } });
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
}

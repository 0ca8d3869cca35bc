import { isJsonObject } from "#base";
import { QueryError } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import {
  basicAuthorization,
  createHttpClient,
  type HttpAddress,
  readHttpAddress,
  requireTls,
} from "../remote/http/http-client.ts";

const FORM = "https://token:TOKEN@host/CATALOG/SCHEMA?warehouse=ID";
/** The user name that stands for a token; any other one is a service principal. */
const TOKEN_USER = "token";
const CALL_MS = 20_000;
/** A token is renewed before it ends. */
const EARLY_MS = 60_000;

/** Where Databricks is, what runs the queries, and who asks. */
export interface DatabricksAddress {
  readonly http: HttpAddress;
  readonly catalog: string;
  /** What datasets show; undefined where nobody said. */
  readonly schema: string | undefined;
  /** Id of the SQL warehouse. */
  readonly warehouse: string;
}

/** Throws a `QueryError` without the string, which has a secret. */
export function readDatabricksAddress(mapping: OpenedMapping): DatabricksAddress {
  const http = readHttpAddress(mapping, FORM, ["warehouse"]);
  requireTls("Databricks", http);
  const [catalog, schema] = http.path;
  const warehouse = http.options.get("warehouse");
  if (!catalog || !warehouse || http.password === "")
    throw new QueryError(
      "failed",
      `The connection string needs a catalog, a warehouse and a secret; it must be ${FORM}.`,
    );
  return { http, catalog, schema, warehouse };
}

/** Who asks, for each call. */
interface DatabricksLogin {
  /** Rejects with `QueryError` where the service principal gets no token. */
  headers(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** The token of the connection string, or those that its service principal gets (OAuth, client credentials), each until it ends. */
export function createDatabricksLogin(address: () => HttpAddress, now = Date.now): DatabricksLogin {
  const http = createHttpClient("Databricks", address());
  let granted: { readonly of: string; readonly token: Promise<GrantedToken> } | undefined;

  async function tokenOf(at: HttpAddress): Promise<string> {
    const of = basicAuthorization(at);
    const kept = granted?.of === of ? await granted.token.catch(() => undefined) : undefined;
    if (kept && kept.endsAt > now()) return kept.token;
    granted = { of, token: grantToken(http, at, now) };
    return (await granted.token).token;
  }

  return {
    async headers() {
      const at = address();
      return { authorization: `Bearer ${at.user === TOKEN_USER ? at.password : await tokenOf(at)}` };
    },
    close: () => http.close(),
  };
}

interface GrantedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

async function grantToken(
  http: ReturnType<typeof createHttpClient>,
  at: HttpAddress,
  now: () => number,
): Promise<GrantedToken> {
  const { status, text } = await http.text({
    ...{ method: "POST", url: `${at.origin}/oidc/v1/token`, timeoutMs: CALL_MS },
    headers: { authorization: basicAuthorization(at), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "all-apis" }).toString(),
  });
  const answer: unknown = status === 200 ? JSON.parse(text) : undefined;
  if (!isJsonObject(answer) || typeof answer.access_token !== "string")
    throw new QueryError("permission", `Databricks gives the service principal no token (status ${status}).`);
  return { token: answer.access_token, endsAt: now() + Number(answer.expires_in ?? 0) * 1000 - EARLY_MS };
}

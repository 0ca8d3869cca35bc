import type { GoogleAuth, IdTokenClient, Impersonated } from "google-auth-library";
import { LRUCache } from "lru-cache";
import { definedFields, thrownMessage } from "#base";

/** This server's own identity at Google, from the application default credentials: what the hosted service's agent is there. */
export interface GoogleIdentity {
  /** An access token. `scopes` defaults to all of Google Cloud. */
  accessToken(scopes?: readonly string[]): Promise<string>;
  /** An OpenID Connect ID token for an audience. */
  idToken(audience: string): Promise<string>;
  /** An access token of another service account, which this identity may impersonate. `scopes` defaults to all of Google Cloud. */
  impersonated(serviceAccount: string, scopes?: readonly string[]): Promise<string>;
  /** The project of the credentials; "" when they name none. */
  project(): Promise<string>;
}

/** Why there is no token. The message is a sentence that names the cause and the fix. */
export class GoogleIdentityError extends Error {
  override readonly name = "GoogleIdentityError";
}

const CLOUD_PLATFORM = ["https://www.googleapis.com/auth/cloud-platform"];
const FIX =
  "Run 'gcloud auth application-default login', or name a credentials file in GOOGLE_APPLICATION_CREDENTIALS.";
/** Auth clients that are cached for each kind of token. App definitions choose the audiences and accounts, so there may be many. */
const MAX_CLIENTS = 200;

/**
 * Creates the identity. The auth library is loaded on the first call, because most installations never need it; its clients cache
 * their tokens until those expire. Every method but `project` rejects with `GoogleIdentityError`. With a `projectId` the library
 * does not look one up.
 */
export function createGoogleIdentity(projectId?: string): GoogleIdentity {
  const library = () => import("google-auth-library");
  const authByScopes = new LRUCache<string, Promise<GoogleAuth>>({ max: MAX_CLIENTS });
  const clientsByAudience = new LRUCache<string, Promise<IdTokenClient>>({ max: MAX_CLIENTS });
  const clientsByAccount = new LRUCache<string, Promise<Impersonated>>({ max: MAX_CLIENTS });
  const authFor = (scopes: readonly string[]) =>
    getOrCreate(authByScopes, scopes.toSorted().join(" "), async () => {
      const { GoogleAuth: Auth } = await library();
      return new Auth({ scopes: [...scopes], ...definedFields({ projectId }) });
    });
  return {
    accessToken: (scopes = CLOUD_PLATFORM) => tokenOrError(async () => (await authFor(scopes)).getAccessToken()),
    idToken: (audience) =>
      tokenOrError(async () => {
        const auth = await authFor(CLOUD_PLATFORM);
        const client = await getOrCreate(clientsByAudience, audience, () => auth.getIdTokenClient(audience));
        const headers = await client.getRequestHeaders();
        return headers.get("authorization")?.replace(/^Bearer /, "");
      }),
    impersonated: (targetPrincipal, scopes = CLOUD_PLATFORM) =>
      tokenOrError(async () => {
        const auth = await authFor(CLOUD_PLATFORM);
        const key = JSON.stringify([targetPrincipal, scopes.toSorted()]);
        const client = await getOrCreate(clientsByAccount, key, async () => {
          const { Impersonated: Client } = await library();
          const sourceClient = await auth.getClient();
          return new Client({ sourceClient, targetPrincipal, targetScopes: [...scopes], delegates: [] });
        });
        return (await client.getAccessToken()).token;
      }),
    project: async () => (await authFor(CLOUD_PLATFORM)).getProjectId().catch(() => ""),
  };
}

/** The cached promise of a key, or a new one. A promise that rejects is removed, so that the next call tries again. */
function getOrCreate<Value>(
  cache: LRUCache<string, Promise<Value>>,
  key: string,
  create: () => Promise<Value>,
): Promise<Value> {
  const cached = cache.get(key);
  if (cached) return cached;
  const created = create();
  cache.set(key, created);
  created.catch(() => {
    if (cache.peek(key) === created) cache.delete(key);
  });
  return created;
}

async function tokenOrError(fetchToken: () => Promise<string | null | undefined>): Promise<string> {
  let token: string | null | undefined;
  try {
    token = await fetchToken();
  } catch (error) {
    const why = thrownMessage(error);
    throw new GoogleIdentityError(`This server's Google identity gives no token: ${why.replace(/\.$/, "")}. ${FIX}`, {
      cause: error,
    });
  }
  if (token) return token;
  throw new GoogleIdentityError(`This server's Google identity gives no token. ${FIX}`);
}

import type { GoogleAuth, IdTokenClient, Impersonated } from "google-auth-library";
import { createShelf } from "./shelf.ts";

/** This server's own identity at Google, as the application default credentials give it: the counterpart of the hosted service's agent. */
export interface GoogleIdentity {
  /** An access token. Scopes default to all of Google Cloud. */
  accessToken(scopes?: readonly string[]): Promise<string>;
  /** An OpenID Connect token for an audience. */
  idToken(audience: string): Promise<string>;
  /** An access token of another service account, which this identity may impersonate. Scopes default as above. */
  impersonated(serviceAccount: string, scopes?: readonly string[]): Promise<string>;
  /** The project that the credentials belong to; "" when they do not say. */
  project(): Promise<string>;
}

/** Why there is no token. The message is a sentence with the cause and the fix. */
export class GoogleIdentityError extends Error {
  override readonly name = "GoogleIdentityError";
}

const CLOUD_PLATFORM = ["https://www.googleapis.com/auth/cloud-platform"];
const FIX =
  "Run 'gcloud auth application-default login', or name a credentials file in GOOGLE_APPLICATION_CREDENTIALS.";

/**
 * Creates the identity. The library is loaded with the first call, because most installations never need it; its clients keep their
 * tokens until those expire. Rejects with `GoogleIdentityError`. A `projectId` saves the library from looking for one.
 */
export function createGoogleIdentity(projectId?: string): GoogleIdentity {
  const library = () => import("google-auth-library");
  const sources = createShelf<Promise<GoogleAuth>>();
  const audiences = createShelf<Promise<IdTokenClient>>();
  const accounts = createShelf<Promise<Impersonated>>();
  const sourceOf = (scopes: readonly string[]) =>
    sources.get(scopes.toSorted().join(" "), async () => {
      const { GoogleAuth: Source } = await library();
      return new Source({ scopes: [...scopes], ...(projectId !== undefined && { projectId }) });
    });
  return {
    accessToken: (scopes = CLOUD_PLATFORM) => told(async () => (await sourceOf(scopes)).getAccessToken()),
    idToken: (audience) =>
      told(async () => {
        const source = await sourceOf(CLOUD_PLATFORM);
        const client = await audiences.get(audience, () => source.getIdTokenClient(audience));
        const headers = await client.getRequestHeaders();
        return headers.get("authorization")?.replace(/^Bearer /, "");
      }),
    impersonated: (targetPrincipal, scopes = CLOUD_PLATFORM) =>
      told(async () => {
        const source = await sourceOf(CLOUD_PLATFORM);
        const client = await accounts.get(JSON.stringify([targetPrincipal, scopes.toSorted()]), async () => {
          const { Impersonated: Client } = await library();
          const sourceClient = await source.getClient();
          return new Client({ sourceClient, targetPrincipal, targetScopes: [...scopes], delegates: [] });
        });
        return (await client.getAccessToken()).token;
      }),
    project: async () => (await sourceOf(CLOUD_PLATFORM)).getProjectId().catch(() => ""),
  };
}

async function told(work: () => Promise<string | null | undefined>): Promise<string> {
  let token: string | null | undefined;
  try {
    token = await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new GoogleIdentityError(`This server's Google identity gives no token: ${why.replace(/\.$/, "")}. ${FIX}`, {
      cause: error,
    });
  }
  if (token) return token;
  throw new GoogleIdentityError(`This server's Google identity gives no token. ${FIX}`);
}

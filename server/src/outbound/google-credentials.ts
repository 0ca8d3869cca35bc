import type { GoogleAuth, IdTokenClient, Impersonated } from "google-auth-library";
import { OutboundError } from "./contract.ts";
import { createShelf } from "./shelf.ts";

/** This server's own identity at Google: the counterpart of the hosted service's agent. */
export interface GoogleCredentials {
  /** An access token of the application default credentials. */
  accessToken(scopes: readonly string[]): Promise<string>;
  /** An OpenID Connect token for an audience. */
  idToken(audience: string): Promise<string>;
  /** An access token of another service account, which this identity may impersonate. */
  impersonated(serviceAccount: string, scopes: readonly string[]): Promise<string>;
}

/** The scope of credentials that name none (auth.proto). */
export const CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform";

/** Creates the credentials. The library is loaded with the first call; its clients keep their tokens until those expire. */
export function createGoogleCredentials(): GoogleCredentials {
  const library = () => import("google-auth-library");
  const sources = createShelf<Promise<GoogleAuth>>();
  const audiences = createShelf<Promise<IdTokenClient>>();
  const accounts = createShelf<Promise<Impersonated>>();
  const sourceOf = (scopes: readonly string[]) =>
    sources.get(scopes.toSorted().join(" "), async () => new (await library()).GoogleAuth({ scopes: [...scopes] }));
  return {
    accessToken: (scopes) => told(async () => (await sourceOf(scopes)).getAccessToken()),
    idToken: (audience) =>
      told(async () => {
        const source = await sourceOf([CLOUD_PLATFORM]);
        const client = await audiences.get(audience, () => source.getIdTokenClient(audience));
        const headers = await client.getRequestHeaders();
        return headers.get("authorization")?.replace(/^Bearer /, "");
      }),
    impersonated: (targetPrincipal, scopes) =>
      told(async () => {
        const source = await sourceOf([CLOUD_PLATFORM]);
        const client = await accounts.get(JSON.stringify([targetPrincipal, scopes.toSorted()]), async () => {
          const { Impersonated: Client } = await library();
          const sourceClient = await source.getClient();
          return new Client({ sourceClient, targetPrincipal, targetScopes: [...scopes], delegates: [] });
        });
        return (await client.getAccessToken()).token;
      }),
  };
}

async function told(work: () => Promise<string | null | undefined>): Promise<string> {
  let token: string | null | undefined;
  try {
    token = await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OutboundError(
      "unauthorized",
      `This server has no Google identity to call with: ${why}. Set GOOGLE_APPLICATION_CREDENTIALS, or run where a service account is attached.`,
      error,
    );
  }
  if (token) return token;
  throw new OutboundError("unauthorized", "This server's Google identity gave no token.");
}

import type { GoogleAuth } from "google-auth-library";
import { failedPrecondition } from "#status";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

/** Gives an access token for Google Cloud, from the Application Default Credentials; the library keeps it until it expires. */
export type AccessToken = () => Promise<string>;

/**
 * Creates the source of tokens, for the project when one is named. `service` is what refusals say cannot be called. The library is
 * loaded with the first call, because most installations never need it.
 */
export function createAccessToken(projectId?: string, service = "Vertex AI"): AccessToken {
  let auth: Promise<GoogleAuth> | undefined;
  return async () => {
    auth ??= import("google-auth-library").then(
      (library) => new library.GoogleAuth({ scopes: SCOPE, ...(projectId !== undefined && { projectId }) }),
    );
    const token = await accessToken(await auth, service);
    if (!token) throw noCredentials(service, "the credentials gave no access token");
    return token;
  };
}

async function accessToken(auth: GoogleAuth, service: string): Promise<string | null | undefined> {
  try {
    return await auth.getAccessToken();
  } catch (error) {
    throw noCredentials(service, error instanceof Error ? error.message : String(error));
  }
}

function noCredentials(service: string, why: string): Error {
  return failedPrecondition(
    `${service} cannot be called without Application Default Credentials: ${why}. Run 'gcloud auth application-default login', ` +
      "or name a credentials file in GOOGLE_APPLICATION_CREDENTIALS.",
    { reason: "MODEL_CREDENTIALS_MISSING", metadata: { provider: service === "Vertex AI" ? "vertex" : service } },
  );
}

/** The service's address for a location: global, a multi-region, or a region. */
export function vertexBaseUrl(location: string): string {
  if (location === "global") return "https://aiplatform.googleapis.com";
  if (location === "us" || location === "eu") return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

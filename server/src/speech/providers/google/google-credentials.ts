import type { GoogleAuth } from "google-auth-library";
import { speechRefused } from "../../speech-failure.ts";

/** The headers that let a call through: by key, or by a token of the application default credentials. */
export type GoogleHeaders = () => Promise<Readonly<Record<string, string>>>;

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

/** Creates the source of headers. The library of credentials is loaded with the first call that needs it, and keeps tokens until they expire. */
export function createGoogleHeaders(apiKey: string, label: string): GoogleHeaders {
  if (apiKey !== "") return async () => ({ "x-goog-api-key": apiKey });
  let auth: Promise<GoogleAuth> | undefined;
  return async () => {
    auth ??= import("google-auth-library").then((library) => new library.GoogleAuth({ scopes: SCOPE }));
    try {
      const client = await auth;
      const token = await client.getAccessToken();
      if (!token) throw new Error("the credentials gave no access token");
      const project = await client.getProjectId().catch(() => "");
      return { authorization: `Bearer ${token}`, ...(project !== "" && { "x-goog-user-project": project }) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw speechRefused(
        label,
        `there are no application default credentials (${why}); set an API key, or run 'gcloud auth application-default login'`,
      );
    }
  };
}

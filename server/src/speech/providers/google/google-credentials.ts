import { createGoogleIdentity, GoogleIdentityError } from "#google";
import { speechRefused } from "../../speech-failure.ts";

/** The headers that let a call through: by key, or by a token of the application default credentials. */
export type GoogleHeaders = () => Promise<Readonly<Record<string, string>>>;

/** Creates the source of headers. Tokens are kept until they expire. */
export function createGoogleHeaders(apiKey: string, label: string): GoogleHeaders {
  if (apiKey !== "") return async () => ({ "x-goog-api-key": apiKey });
  const identity = createGoogleIdentity();
  return async () => {
    try {
      const token = await identity.accessToken();
      const project = await identity.project();
      return { authorization: `Bearer ${token}`, ...(project !== "" && { "x-goog-user-project": project }) };
    } catch (error) {
      if (!(error instanceof GoogleIdentityError)) throw error;
      throw speechRefused(label, `there is no API key. ${error.message.replace(/\.$/, "")}`);
    }
  };
}

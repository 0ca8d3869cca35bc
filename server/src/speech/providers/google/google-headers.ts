import { createGoogleIdentity, GoogleIdentityError } from "#google";
import { speechCallRejected } from "../../speech-errors.ts";

/** The authentication headers: an API key, or a token of the application default credentials. */
type GoogleHeaders = () => Promise<Readonly<Record<string, string>>>;

/** Creates the source of headers. Tokens are cached until they expire. */
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
      throw speechCallRejected(label, `there is no API key. ${error.message.replace(/\.$/, "")}`);
    }
  };
}

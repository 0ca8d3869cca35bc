import { failedPrecondition } from "#status";
import { createGoogleIdentity, GoogleIdentityError } from "./google-identity.ts";

/** Returns an access token for Google Cloud. A token is reused until it expires. */
export type AccessToken = () => Promise<string>;

/**
 * Creates the token source of one Google service. It rejects with FAILED_PRECONDITION, which names `service` as what cannot be called.
 * `projectId` as in `createGoogleIdentity`.
 */
export function createServiceToken(service: string, projectId?: string): AccessToken {
  const identity = createGoogleIdentity(projectId);
  return async () => {
    try {
      return await identity.accessToken();
    } catch (error) {
      if (!(error instanceof GoogleIdentityError)) throw error;
      throw googleCredentialsMissing(service, error.message);
    }
  };
}

/** The error of a call to a Google service without credentials. `why` is a sentence with the fix. */
export function googleCredentialsMissing(service: string, why: string): Error {
  return failedPrecondition(`${service} cannot be called. ${why}`, {
    reason: "GOOGLE_CREDENTIALS_MISSING",
    metadata: { service },
  });
}

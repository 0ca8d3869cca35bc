import { failedPrecondition } from "#status";
import { createGoogleIdentity, GoogleIdentityError } from "./google-identity.ts";

/** Gives an access token for Google Cloud with each call; one is used until it expires. */
export type AccessToken = () => Promise<string>;

/**
 * Creates the source of tokens for one of Google's services. Rejects with FAILED_PRECONDITION in which `service` says what cannot be
 * called. `projectId` as in `createGoogleIdentity`.
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

/** The refusal of a call to one of Google's services for want of credentials. `why` is a sentence with the fix. */
export function googleCredentialsMissing(service: string, why: string): Error {
  return failedPrecondition(`${service} cannot be called. ${why}`, {
    reason: "GOOGLE_CREDENTIALS_MISSING",
    metadata: { service },
  });
}

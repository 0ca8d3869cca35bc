/** This server's own identity at Google, the one source of tokens for models, voice, tools, search and data; objects of Cloud Storage. */
export { type CloudStorageAccess, createCloudStorage } from "./cloud-storage.ts";
export { createGoogleIdentity, type GoogleIdentity, GoogleIdentityError } from "./google-identity.ts";
export { type AccessToken, createServiceToken, googleCredentialsMissing } from "./service-token.ts";

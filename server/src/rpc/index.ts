/** Registered methods: descriptor, handler, revisions, and the pipeline around every call. Protocols serve these and nothing else. */
export { type Authenticator, type ClientCertificate, NO_AUTHENTICATION } from "./authenticator.ts";
export { createCallContext, withValidateOnly } from "./call-context.ts";
export type {
  CallContext,
  Interceptor,
  RegisteredMethod,
  Registry,
  Revision,
  ServiceImplementation,
  ServiceRegistration,
} from "./contract.ts";
export { defineService } from "./define-service.ts";
export { isHealthMethod } from "./health-method.ts";
export { createMessageJson, type MessageJson } from "./message-json.ts";
export { createRegistry, markValidateOnly } from "./registry.ts";
export { logFailedRequest, logRequest } from "./request-log.ts";
export { INTERNAL_REVISION, operationPrefix, revisionOf } from "./revision.ts";

/** Registered methods: descriptor, handler, revisions, and the pipeline around every call. Protocols serve these and nothing else. */
export { createCallContext, withValidateOnly } from "./call-context.ts";
export type {
  CallContext,
  Interceptor,
  Invocation,
  MethodHandler,
  RegisteredMethod,
  Registry,
  Revision,
  ServiceImplementation,
  ServiceRegistration,
} from "./contract.ts";
export { defineService } from "./define-service.ts";
export { createMessageJson, type MessageJson } from "./message-json.ts";
export { createRegistry, markValidateOnly, type RegistryDeps } from "./registry.ts";
export { logFailedRequest, logRequest, type RequestLogEntry } from "./request-log.ts";
export { INTERNAL_REVISION, revisionOf } from "./revision.ts";

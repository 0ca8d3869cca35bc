/** A registered method: its descriptor, its handler, its revisions. Every protocol renders these and nothing else. */
export { createCallContext, onlyValidating } from "./call-context.ts";
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
export { createRegistry, type RegistryDeps, validating } from "./registry.ts";
export { logRefusal, logRequest, type RequestLine } from "./request-log.ts";
export { INSIDE, revisionOf } from "./revision.ts";

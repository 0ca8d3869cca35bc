/** A registered method: its descriptor, its handler, its revisions. Every protocol renders these and nothing else. */
export type { CallContext, Invocation, MethodHandler, RegisteredMethod, Registry, Revision, ServiceImplementation, ServiceRegistration } from "./contract.ts";

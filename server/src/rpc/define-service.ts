import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImplementation, ServiceRegistration } from "./contract.ts";

/**
 * Registers the handlers of a service for the internal revision and for its other revisions. The handlers are typed by `service`; a
 * call to a method without one fails with UNIMPLEMENTED and the method's name.
 */
export function defineService<S extends DescService>(
  service: S,
  otherRevisions: readonly DescService[],
  implementation: ServiceImplementation<S>,
): ServiceRegistration {
  return { service, otherRevisions, implementation: implementation as Readonly<Record<string, unknown>> };
}

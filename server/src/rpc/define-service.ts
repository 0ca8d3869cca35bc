import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImplementation, ServiceRegistration } from "./contract.ts";

/**
 * Registers the handlers of a service under the inside revision and, with `also`, under its other revisions.
 * The handlers are typed by `service`; those left out answer UNIMPLEMENTED by name.
 */
export function defineService<S extends DescService>(
  service: S,
  also: readonly DescService[],
  implementation: ServiceImplementation<S>,
): ServiceRegistration {
  return { service, also, implementation: implementation as Readonly<Record<string, unknown>> };
}

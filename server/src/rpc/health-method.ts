import { Health } from "@frontdesk/protos/grpc/health/v1/health";
import type { RegisteredMethod } from "./contract.ts";

/** Whether a method is of gRPC's health service, which supervisors ask for as long as the server runs: no limit of calls is for it (WIRE-55). */
export function isHealthMethod({ internalMethod }: RegisteredMethod): boolean {
  return internalMethod.parent === Health;
}

import type { AuditLog } from "#audit";
import type { Clock } from "#base";
import type { RecordSignIn } from "#protocols";

/** Records sign-ins and sign-outs as changes that concern the whole server: they name no resource. */
export function auditSignIns(log: Pick<AuditLog, "append">, clock: Clock): RecordSignIn {
  return ({ action, caller, address, requestId, fault }) =>
    log.append({
      time: Math.floor(clock.now()),
      category: "write",
      method: `frontdesk.identity.${action}`,
      resource: "",
      principal: caller?.principal ?? "",
      kind: caller?.kind ?? "anonymous",
      credential: caller?.credentialId ?? "",
      address,
      protocol: "rest",
      requestId,
      outcome: fault === undefined ? "OK" : "UNAUTHENTICATED",
      ...(fault !== undefined && { reason: fault }),
    });
}

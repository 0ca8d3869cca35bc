import type { Exchange } from "../http/exchange.ts";
import type { SignInEvent, SignInServer } from "./contract.ts";

/** Records what somebody who is known did. Resolves when it is durable, so that nothing happened that the log does not have. */
export function recordEvent(
  { request, requestId }: Exchange,
  action: SignInEvent["action"],
  { record, deps }: SignInServer,
  { principal, kind, credentialId }: NonNullable<SignInEvent["caller"]>,
): Promise<void> {
  return record({
    action,
    caller: { principal, kind, credentialId },
    address: deps.peerOf(request).address,
    requestId,
  });
}

import type { Caller } from "#base";
import { type ConnectError, permissionDenied, unauthenticated } from "#status";
import type { AccessMode } from "./contract.ts";

/** The domain of Google's own refusals, which clients look for. */
const IAM_DOMAIN = "iam.googleapis.com";

/** Anonymous callers are asked to sign in, all others lack the permission (IAM-10). */
export function refusal(
  mode: AccessMode,
  { kind, principal }: Caller,
  permission: string,
  resource: string,
): ConnectError {
  if (kind !== "anonymous") return lacksPermission(principal, permission, resource);
  return mode === "data" ? identityRequired() : signInRequired();
}

function signInRequired(): ConnectError {
  return unauthenticated(
    "Request is missing required authentication credential. Send an access token or a key: 'Authorization: Bearer …', or 'x-goog-api-key'.",
    { reason: "CREDENTIALS_MISSING" },
  );
}

function identityRequired(): ConnectError {
  return unauthenticated("Send the bearer token of one of the identities that this server knows.", {
    reason: "IDENTITY_REQUIRED",
  });
}

/** Characters of a resource in a refusal, at most: nothing has checked how many its caller sent. */
const MOST_SHOWN = 1_000;

/** PERMISSION_DENIED in words that do not tell whether the resource exists, and to programs as whom they called (AUTH-26). */
function lacksPermission(principal: string, permission: string, named: string): ConnectError {
  const resource = named.length <= MOST_SHOWN ? named : `${named.slice(0, MOST_SHOWN)}…`;
  const on =
    resource === "" ? "this server" : `resource '//${serviceOf(permission)}/${resource}' (or it may not exist)`;
  return permissionDenied(`Permission '${permission}' denied on ${on}.`, {
    reason: "IAM_PERMISSION_DENIED",
    domain: IAM_DOMAIN,
    metadata: { permission, resource, principal },
  });
}

function serviceOf(permission: string): string {
  return `${permission.slice(0, permission.indexOf("."))}.googleapis.com`;
}

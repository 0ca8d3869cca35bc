import { ANONYMOUS, type Caller } from "#base";
import type { ClientCertificate } from "#rpc";
import { accountPrincipal, serviceAccountOf } from "./credentials/service-accounts.ts";
import { invalidToken } from "./refusals.ts";

/**
 * The caller of a client certificate (AUTH-16): the address in its subject alternative names or its subject, else a program named by the URI or
 * the common name of the certificate. Throws UNAUTHENTICATED for one that no authority of the operator vouches for.
 */
export function callerOf({ problem, commonName, emails, uris, fingerprint }: ClientCertificate): Caller {
  if (problem !== "") throw invalidToken(`The certificate of the client was not accepted: ${problem}.`);
  const [email = commonName] = emails;
  const [uri] = uris;
  const caller = { ...ANONYMOUS, credentialId: `certificate:${fingerprint}` };
  if (serviceAccountOf(email))
    return Object.freeze({ ...caller, kind: "serviceAccount", principal: accountPrincipal(email) });
  if (/^[^\s@]+@[^\s@]+$/.test(email))
    return Object.freeze({ ...caller, kind: "user", principal: `user:${email.toLowerCase()}` });
  const subject = uri ?? commonName;
  return Object.freeze({ ...caller, kind: "workload", principal: `principal://certificates/subject/${subject}` });
}

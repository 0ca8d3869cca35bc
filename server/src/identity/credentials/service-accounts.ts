/** The domain of the e-mail addresses of service accounts. Nobody can own it: `.local` is not a public domain (RFC 6762). */
const ACCOUNT_DOMAIN = "frontdesk.local";

const EMAIL =
  /^(?<account>[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)@(?<project>[a-z0-9](?:[-a-z0-9.:]{0,61}[a-z0-9])?)\.frontdesk\.local$/;

/** A service account: a program with keys. It exists by its keys and its roles. */
export interface ServiceAccount {
  /** E.g. `ci`. */
  readonly account: string;
  /** Id of the project. */
  readonly project: string;
}

/** `ci@main.frontdesk.local` (AUTH-1). */
export function emailOf({ account, project }: ServiceAccount): string {
  return `${account}@${project}.${ACCOUNT_DOMAIN}`;
}

/** The account of an e-mail address; undefined for other addresses. */
export function serviceAccountOf(email: string): ServiceAccount | undefined {
  const { account, project } = EMAIL.exec(email)?.groups ?? {};
  return account !== undefined && project !== undefined ? { account, project } : undefined;
}

/** As members of policies name it. */
export function accountPrincipal(email: string): string {
  return `serviceAccount:${email}`;
}

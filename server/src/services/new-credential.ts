import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type CreateCredentialRequest,
  type Credential,
  Credential_Kind as Kind,
} from "@frontdesk/protos/identity/credential_service";
import { emailOf, serviceAccountOf } from "#identity";
import { type FieldViolation, invalidArgument } from "#status";

/** Characters of the longest display name. */
const MAX_DISPLAY_NAME = 100;

const PROJECT = /^projects\/[^/]+$/;
const NAME = /^(?<parent>projects\/[^/]+)\/credentials\/(?<id>[0-9a-z]+)$/;

/** Project and id in the name of a credential; undefined for the parts of another name. */
export function credentialName(name: string): { readonly parent?: string; readonly id?: string } {
  return NAME.exec(name)?.groups ?? {};
}

/** The credential that a request asks for. Throws INVALID_ARGUMENT with all violations. */
export function checkNewCredential({ parent, credential }: CreateCredentialRequest, now: number): Credential {
  const violations = [...parentViolations(parent), ...(credential ? violationsOf(credential, parent, now) : [])];
  if (violations.length > 0 || !credential) throw invalidArgument(violations);
  return credential;
}

function parentViolations(parent: string): readonly FieldViolation[] {
  if (PROJECT.test(parent)) return [];
  return [{ field: "parent", description: `'${parent}' is not a project, e.g. projects/local.` }];
}

function violationsOf(
  { kind, displayName, account, within, expireTime }: Credential,
  parent: string,
  now: number,
): readonly FieldViolation[] {
  const found: FieldViolation[] = [];
  const add = (field: string, description: string) => found.push({ field: `credential.${field}`, description });
  if (displayName.length > MAX_DISPLAY_NAME) add("display_name", `At most ${MAX_DISPLAY_NAME} characters.`);
  if (expireTime && timestampMs(expireTime) <= now) add("expire_time", "The time has passed.");
  if (kind === Kind.SERVICE_ACCOUNT_KEY) {
    const project = parent.slice("projects/".length);
    if (!serviceAccountOf(emailOf({ account, project })))
      add("account", `'${account}' cannot be the id of an account: use a letter, then letters, digits and hyphens.`);
    if (within.length > 0)
      add("within", "Only an API key has this: bind the roles of the account to the apps instead.");
  } else if (kind === Kind.API_KEY) {
    if (account !== "") add("account", "Only a key of a service account has this.");
    const outside = within.find((name) => name !== parent && !name.startsWith(`${parent}/locations/`));
    if (outside !== undefined) add("within", `'${outside}' is neither '${parent}' nor an app in it.`);
  } else add("kind", "Use SERVICE_ACCOUNT_KEY or API_KEY.");
  return found;
}

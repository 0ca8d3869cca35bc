import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type Credential,
  type CredentialSchema,
  CredentialService,
  Credential_Kind as Kind,
  ListCredentialsRequestSchema,
} from "@frontdesk/protos/identity/credential_service";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import { type Clock, definedFields, nonEmptyFields } from "#base";
import type { Authentication, CredentialKind, Credential as StoredCredential } from "#identity";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { notFound } from "#status";
import { checkNewCredential, credentialName } from "./new-credential.ts";

interface CredentialServiceDeps {
  readonly authentication: Pick<Authentication, "credentials" | "accountKeys" | "apiKeys" | "addresses">;
  readonly clock: Clock;
}

/** The kinds that admins of a project manage. Sessions and refresh tokens belong to people. */
const KINDS: ReadonlyMap<CredentialKind, Kind> = new Map([
  ["service-account-key", Kind.SERVICE_ACCOUNT_KEY],
  ["api-key", Kind.API_KEY],
]);

/** Keys of programs: `frontdesk.identity.v1beta.CredentialService`. */
export function createCredentialService({ authentication, clock }: CredentialServiceDeps): ServiceRegistration {
  const { credentials, accountKeys, apiKeys, addresses } = authentication;

  const find = async (name: string): Promise<StoredCredential> => {
    const { parent, id } = credentialName(name);
    const found = id === undefined ? undefined : await credentials.find(id);
    if (found && found.parent === parent && KINDS.has(found.kind)) return found;
    throw notFound(name, "identity.frontdesk/Credential");
  };

  const issue = (parent: string, wanted: Credential, universe: string, { caller }: CallContext) => {
    const [, project = ""] = parent.split("/");
    const common = {
      displayName: wanted.displayName,
      createdBy: caller.principal,
      ...(wanted.expireTime && { expireTime: timestampMs(wanted.expireTime) }),
    };
    if (wanted.kind === Kind.API_KEY)
      return apiKeys.issue({ ...common, parent, within: wanted.within.length > 0 ? wanted.within : [parent] });
    const tokenUri = `${addresses.origin}/token`;
    return accountKeys.issue({
      ...common,
      account: wanted.account,
      project,
      tokenUri,
      ...nonEmptyFields({ universe }),
    });
  };

  return defineService(CredentialService, [], {
    createCredential: async (request, context) => {
      const wanted = checkNewCredential(request, clock.now());
      const { credential, secret } = await issue(request.parent, wanted, request.universeDomain, context);
      return { ...toMessage(credential), secret };
    },
    getCredential: async ({ name }) => toMessage(await find(name)),
    listCredentials: async (request) => {
      const checksum = requestChecksum(ListCredentialsRequestSchema, request);
      const after = decodePageToken(request.pageToken, checksum, "name");
      const page = await credentials.list({
        parent: request.parent,
        kinds: [...KINDS.keys()],
        limit: pageSizeOf(request.pageSize),
        ...definedFields({ after }),
      });
      return {
        credentials: page.credentials.map(toMessage),
        ...(page.last !== undefined && { nextPageToken: encodePageToken(page.last, checksum) }),
      };
    },
    deleteCredential: async ({ name }) => {
      await credentials.revoke((await find(name)).id);
      return {};
    },
  });
}

function toMessage(stored: StoredCredential): MessageInitShape<typeof CredentialSchema> {
  const { id, parent, kind, displayName, principal, within, createdBy, createTime, expireTime, lastUsedTime } = stored;
  return {
    name: `${parent}/credentials/${id}`,
    kind: KINDS.get(kind) ?? Kind.KIND_UNSPECIFIED,
    account: kind === "service-account-key" ? (/^serviceAccount:([^@]+)/.exec(principal)?.[1] ?? "") : "",
    ...{ displayName, principal, createdBy, within: [...(within ?? [])] },
    createTime: timestampFromMs(createTime),
    ...(expireTime !== undefined && { expireTime: timestampFromMs(expireTime) }),
    ...(lastUsedTime !== undefined && { lastUsedTime: timestampFromMs(lastUsedTime) }),
  };
}

import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Credential, Credential_Kind as Kind } from "@frontdesk/protos/identity/credential_service";
import { type Binding, readPolicy, writePolicy } from "../../api/policies.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { type CreateCredential, MakeKeyDialog, type NewCredential } from "./make-key-dialog.tsx";

interface ReplaceKeyDialogProps {
  readonly parent: string;
  readonly replaced: Credential;
  readonly create: CreateCredential;
  readonly onClose: () => void;
}

/** Makes a key that may what another one may. The other one works until it is revoked, so that no program has to stop. */
export function ReplaceKeyDialog({ parent, replaced, create, onClose }: ReplaceKeyDialogProps) {
  const make = async (universeDomain: string) => {
    const credential = await create(likeOf(replaced), universeDomain);
    const resources = new Set([parent, ...replaced.within]);
    return { credential, problem: await copyRoles(resources, replaced.principal, credential.principal) };
  };
  return (
    <MakeKeyDialog
      title={`Replace “${replaced.displayName || replaced.account}”`}
      isFile={replaced.kind === Kind.SERVICE_ACCOUNT_KEY}
      make={make}
      next={
        <p>The old key works until you revoke it: when its last use no longer moves, every program has the new one.</p>
      }
      onClose={onClose}
    >
      <p>This makes a second key with the same name, rights and lifetime. The old one goes on working.</p>
    </MakeKeyDialog>
  );
}

/** A key like this one, which lives as long as it did. */
function likeOf({ kind, displayName, account, within, createTime, expireTime }: Credential): NewCredential {
  const lifetime =
    createTime && expireTime && timestampDate(expireTime).getTime() - timestampDate(createTime).getTime();
  return {
    kind,
    displayName,
    account,
    within,
    ...(lifetime && { expireTime: timestampFromMs(Date.now() + lifetime) }),
  };
}

/** Where somebody has roles, gives them to somebody else, too. Answers what went wrong: the key is made by then. */
async function copyRoles(resources: ReadonlySet<string>, from: string, to: string): Promise<StatusError | undefined> {
  if (from === to) return undefined;
  try {
    for (const resource of resources) {
      const policy = await readPolicy(resource);
      const bindings = policy.bindings ?? [];
      const has = ({ members }: Binding) => members.includes(from);
      if (!bindings.some(has)) continue;
      const shared = bindings.map((binding) =>
        has(binding) ? { ...binding, members: [...new Set([...binding.members, to])] } : binding,
      );
      await writePolicy(resource, policy, shared);
    }
    return undefined;
  } catch (error) {
    return toStatusError(error);
  }
}

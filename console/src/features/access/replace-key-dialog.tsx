import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Credential, Credential_Kind as Kind } from "@frontdesk/protos/identity/credential_service";
import { useState } from "react";
import { type Binding, readPolicy, writePolicy } from "../../api/policies.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Switch } from "../../components/field.tsx";
import { type CreateKeyDialogProps, type Made, type NewCredential, Secret } from "./create-key-dialog.tsx";

interface ReplaceKeyDialogProps extends CreateKeyDialogProps {
  readonly replaced: Credential;
}

/** Makes a key that may what another one may. The other one works until it is revoked, so that no program has to stop. */
export function ReplaceKeyDialog({ parent, replaced, create, onClose }: ReplaceKeyDialogProps) {
  const [made, setMade] = useState<Made>();
  const [universe, setUniverse] = useState(false);
  const [error, setError] = useState<StatusError>();
  const [running, setRunning] = useState(false);
  const title = replaced.displayName || replaced.account;
  const replace = async () => {
    setRunning(true);
    try {
      const credential = await create(likeOf(replaced), universe ? "frontdesk.local" : "");
      const problem = await copyRoles(new Set([parent, ...replaced.within]), replaced.principal, credential.principal);
      setMade({ credential, problem });
    } catch (error) {
      setError(toStatusError(error));
      setRunning(false);
    }
  };
  return (
    <Dialog
      title={made ? "The key is made" : `Replace “${title}”`}
      open
      dismissable={false}
      shownOnce={made !== undefined}
      onClose={onClose}
    >
      {made ? (
        <Secret {...made} onClose={onClose}>
          <p>
            The old key works until you revoke it: when its last use no longer moves, every program has the new one.
          </p>
        </Secret>
      ) : (
        <div className="stack">
          <p>This makes a second key with the same name, rights and lifetime. The old one goes on working.</p>
          {replaced.kind === Kind.SERVICE_ACCOUNT_KEY && (
            <Switch selected={universe} onChange={setUniverse}>
              For the Node client googleapis
            </Switch>
          )}
          {error && <Banner tone="error" error={error} />}
          <div className="actions">
            <Button onPress={onClose}>Cancel</Button>
            <Button tone="primary" isDisabled={running} onPress={() => void replace()}>
              {running ? "Creating…" : "Create key"}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
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

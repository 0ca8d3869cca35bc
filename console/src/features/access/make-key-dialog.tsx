import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type Credential,
  type CredentialSchema,
  Credential_Kind as Kind,
} from "@frontdesk/protos/identity/credential_service";
import { type ReactNode, useState } from "react";
import type { StatusError } from "../../api/status-error.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions, DialogButtons } from "../../components/dialog-actions.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { download } from "../../components/download.ts";
import { Switch } from "../../components/field.tsx";

export type NewCredential = MessageInitShape<typeof CredentialSchema>;

/** Creates a key; `universeDomain` is what its file says, "" for Google's own. */
export type CreateCredential = (credential: NewCredential, universeDomain: string) => Promise<Credential>;

/** A key, and why its owner has no role. */
export interface Made {
  readonly credential: Credential;
  readonly problem: StatusError | undefined;
}

interface MakeKeyDialogProps {
  readonly title: string;
  /** Whether the key is a file, which may be for the Node client. */
  readonly isFile: boolean;
  /** Whether everything is given that the key needs. Default true. */
  readonly ready?: boolean;
  readonly make: (universeDomain: string) => Promise<Made>;
  /** What is to be done when the key is made. */
  readonly next?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form that makes a key, and then its secret, this once. */
export function MakeKeyDialog({ title, isFile, ready = true, make, next, onClose, children }: MakeKeyDialogProps) {
  const [made, setMade] = useState<Made>();
  const [universe, setUniverse] = useState(false);
  const { submit, running, error } = useSubmission(async () => {
    setMade(await make(universe && isFile ? "frontdesk.local" : ""));
  });
  if (made)
    return (
      <Dialog title="The key is made" open dismissable={false} shownOnce onClose={onClose}>
        <Secret {...made} onClose={onClose}>
          {next}
        </Secret>
      </Dialog>
    );
  return (
    <Dialog title={title} open dismissable={false} onClose={onClose}>
      <DialogForm ready={ready && !running} onSubmit={submit}>
        {children}
        {isFile && (
          <Switch selected={universe} onChange={setUniverse}>
            For the Node client googleapis
          </Switch>
        )}
        {error && <Banner tone="error" error={error} />}
        <DialogActions
          action="Create key"
          runningLabel="Creating…"
          running={running}
          isDisabled={!ready}
          onCancel={onClose}
        />
      </DialogForm>
    </Dialog>
  );
}

interface SecretProps extends Made {
  readonly onClose: () => void;
  /** What is to be done next. */
  readonly children: ReactNode;
}

/** The secret of a key that was made, this once. */
function Secret({ credential, problem, onClose, children }: SecretProps) {
  const { kind, account, principal, secret } = credential;
  const isFile = kind === Kind.SERVICE_ACCOUNT_KEY;
  return (
    <div className="stack">
      <div>
        <code>{principal}</code> signs in with it. It is shown this once.
      </div>
      {problem && (
        <Banner tone="warning" error={problem}>
          <p>It has no role yet. Give it one on the page Members.</p>
        </Banner>
      )}
      {isFile ? (
        <>
          <div>Download the file and name it to the program:</div>
          <CodeBlock text={`GOOGLE_APPLICATION_CREDENTIALS=${account}.json`} label="setting" />
        </>
      ) : (
        <CodeBlock text={secret} label="key" wrapped />
      )}
      {children}
      <DialogButtons>
        {isFile && (
          <Button tone="primary" onPress={() => download(`${account}.json`, "application/json", secret)}>
            Download key file
          </Button>
        )}
        <Button onPress={onClose}>Done</Button>
      </DialogButtons>
    </div>
  );
}

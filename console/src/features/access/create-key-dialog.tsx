import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Credential,
  type CredentialSchema,
  Credential_Kind as Kind,
} from "@frontdesk/protos/identity/credential_service";
import { type ReactNode, useState } from "react";
import { readPolicy, withMember, writePolicy } from "../../api/policies.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { download } from "../../components/download.ts";
import { type Choice, SelectField, Switch, TextField } from "../../components/field.tsx";
import { RoleField } from "./role-field.tsx";

const KINDS: readonly Choice<"file" | "api">[] = [
  { value: "file", label: "Key file", description: "For Google's clients and for the command line" },
  { value: "api", label: "API key", description: "For scripts: one text, sent with each request" },
];

const LIFETIMES: readonly Choice<string>[] = [
  { value: "", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

export type NewCredential = MessageInitShape<typeof CredentialSchema>;

export interface CreateKeyDialogProps {
  readonly parent: string;
  readonly create: (credential: NewCredential, universeDomain: string) => Promise<Credential>;
  readonly onClose: () => void;
}

/** A key, and why its owner has no role. */
export interface Made {
  readonly credential: Credential;
  readonly problem: StatusError | undefined;
}

interface FormProps extends CreateKeyDialogProps {
  readonly onMade: (credential: Credential, problem: StatusError | undefined) => void;
}

/** Makes a key, gives its owner a role, and shows its secret once. */
export function CreateKeyDialog({ parent, create, onClose }: CreateKeyDialogProps) {
  const [made, setMade] = useState<Made>();
  return (
    <Dialog
      title={made ? "The key is made" : "Create key"}
      open
      dismissable={false}
      shownOnce={made !== undefined}
      onClose={onClose}
    >
      {made ? (
        <Secret {...made} onClose={onClose} />
      ) : (
        <Form {...{ parent, create, onClose }} onMade={(credential, problem) => setMade({ credential, problem })} />
      )}
    </Dialog>
  );
}

function Form({ parent, create, onClose, onMade }: FormProps) {
  const [kind, setKind] = useState<"file" | "api">("file");
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const [role, setRole] = useState("roles/ces.client");
  const [universe, setUniverse] = useState(false);
  const [error, setError] = useState<StatusError>();
  const [running, setRunning] = useState(false);
  const submit = async () => {
    setRunning(true);
    try {
      const expireTime = days === "" ? undefined : timestampFromMs(Date.now() + Number(days) * 86_400_000);
      const which =
        kind === "api" ? { kind: Kind.API_KEY, displayName: name } : { kind: Kind.SERVICE_ACCOUNT_KEY, account: name };
      const credential = { ...which, expireTime };
      const made = await create(credential, universe && kind === "file" ? "frontdesk.local" : "");
      onMade(made, await grantError(parent, role.trim(), made.principal));
    } catch (error) {
      setError(toStatusError(error));
      setRunning(false);
    }
  };
  const ready = name.trim() !== "" && role.trim() !== "" && !running;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void submit();
      }}
    >
      <SelectField label="Kind" value={kind} choices={KINDS} onChange={setKind} />
      <TextField
        label={kind === "file" ? "Service account" : "Name"}
        value={name}
        onChange={setName}
        required
        placeholder={kind === "file" ? "shop" : "Nightly report"}
        hint={
          kind === "file"
            ? "Lower-case letters, digits and hyphens. Several keys of one account have the same rights."
            : undefined
        }
      />
      <RoleField value={role} onChange={setRole} label={`Role on ${parent}`} />
      <SelectField label="Expires" value={days} choices={LIFETIMES} onChange={setDays} />
      {kind === "file" && (
        <Switch selected={universe} onChange={setUniverse}>
          For the Node client googleapis
        </Switch>
      )}
      {error && <Banner tone="error" error={error} />}
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button tone="primary" type="submit" isDisabled={!ready}>
          {running ? "Creating…" : "Create key"}
        </Button>
      </div>
    </form>
  );
}

/** The key is made, so what goes wrong with its role is told beside its secret. */
async function grantError(parent: string, role: string, principal: string): Promise<StatusError | undefined> {
  try {
    const policy = await readPolicy(parent);
    await writePolicy(parent, policy, withMember(policy.bindings ?? [], role, principal));
    return undefined;
  } catch (error) {
    return toStatusError(error);
  }
}

interface SecretProps extends Made {
  readonly onClose: () => void;
  /** What is to be done next. */
  readonly children?: ReactNode;
}

/** The secret of a key that was made, this once. */
export function Secret({ credential, problem, onClose, children }: SecretProps) {
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
      <div className="actions">
        {isFile && (
          <Button tone="primary" onPress={() => download(`${account}.json`, "application/json", secret)}>
            Download key file
          </Button>
        )}
        <Button onPress={onClose}>Done</Button>
      </div>
    </div>
  );
}

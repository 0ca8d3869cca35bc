import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Credential_Kind as Kind } from "@frontdesk/protos/identity/credential_service";
import { useState } from "react";
import { readPolicy, withMember, writePolicy } from "../../api/policies.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { type Choice, SelectField, TextField } from "../../components/field.tsx";
import { type CreateCredential, MakeKeyDialog } from "./make-key-dialog.tsx";
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

interface CreateKeyDialogProps {
  readonly parent: string;
  readonly create: CreateCredential;
  readonly onClose: () => void;
}

/** Makes a key, gives its owner a role, and shows its secret once. */
export function CreateKeyDialog({ parent, create, onClose }: CreateKeyDialogProps) {
  const [kind, setKind] = useState<"file" | "api">("file");
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const [role, setRole] = useState("roles/ces.client");
  const isFile = kind === "file";
  const make = async (universeDomain: string) => {
    const expireTime = days === "" ? undefined : timestampFromMs(Date.now() + Number(days) * 86_400_000);
    const which = isFile
      ? { kind: Kind.SERVICE_ACCOUNT_KEY, account: name }
      : { kind: Kind.API_KEY, displayName: name };
    const credential = await create({ ...which, expireTime }, universeDomain);
    return { credential, problem: await grantError(parent, role.trim(), credential.principal) };
  };
  return (
    <MakeKeyDialog
      title="Create key"
      isFile={isFile}
      ready={name.trim() !== "" && role.trim() !== ""}
      make={make}
      onClose={onClose}
    >
      <SelectField label="Kind" value={kind} choices={KINDS} onChange={setKind} />
      <TextField
        label={isFile ? "Service account" : "Name"}
        value={name}
        onChange={setName}
        required
        placeholder={isFile ? "shop" : "Nightly report"}
        hint={
          isFile
            ? "Lower-case letters, digits and hyphens. Several keys of one account have the same rights."
            : undefined
        }
      />
      <RoleField value={role} onChange={setRole} label={`Role on ${parent}`} />
      <SelectField label="Expires" value={days} choices={LIFETIMES} onChange={setDays} />
    </MakeKeyDialog>
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

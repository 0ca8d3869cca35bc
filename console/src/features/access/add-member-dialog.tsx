import { useState } from "react";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { RoleField } from "./role-field.tsx";

interface AddMemberDialogProps {
  readonly resource: string;
  /** Rejects with the error of the server. */
  readonly onAdd: (role: string, member: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Gives somebody a role. An address alone is a person's. */
export function AddMemberDialog({ resource, onAdd, onClose }: AddMemberDialogProps) {
  const [member, setMember] = useState("");
  const [role, setRole] = useState("roles/ces.viewer");
  const [error, setError] = useState<StatusError>();
  const [running, setRunning] = useState(false);
  const submit = async () => {
    setRunning(true);
    try {
      await onAdd(role.trim(), memberOf(member.trim()));
      onClose();
    } catch (error) {
      setError(toStatusError(error));
      setRunning(false);
    }
  };
  const ready = member.trim() !== "" && role.trim() !== "" && !running;
  return (
    <Dialog title={`Add a member of ${resource}`} open dismissable={false} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void submit();
        }}
      >
        <TextField
          label="Member"
          value={member}
          onChange={setMember}
          required
          placeholder="ann@example.com"
          hint="An address, or a member as policies write it: serviceAccount:…, group:…, domain:…, apiKey:…, principal://…"
        />
        <RoleField value={role} onChange={setRole} />
        {error && <Banner tone="error" error={error} />}
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" isDisabled={!ready}>
            {running ? "Adding…" : "Add member"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function memberOf(text: string): string {
  if (!/^[^\s:@]+@[^\s:@]+$/.test(text)) return text;
  return text.endsWith(".frontdesk.local") ? `serviceAccount:${text}` : `user:${text}`;
}

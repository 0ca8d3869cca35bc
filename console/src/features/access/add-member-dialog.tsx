import { useState } from "react";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
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
  const { submit, running, error } = useSubmission(async () => {
    await onAdd(role.trim(), memberOf(member.trim()));
    onClose();
  });
  const ready = member.trim() !== "" && role.trim() !== "";
  return (
    <Dialog title={`Add a member of ${resource}`} open dismissable={false} onClose={onClose}>
      <DialogForm ready={ready && !running} onSubmit={submit}>
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
        <DialogActions
          action="Add member"
          runningLabel="Adding…"
          running={running}
          isDisabled={!ready}
          onCancel={onClose}
        />
      </DialogForm>
    </Dialog>
  );
}

function memberOf(text: string): string {
  if (!/^[^\s:@]+@[^\s:@]+$/.test(text)) return text;
  return text.endsWith(".frontdesk.local") ? `serviceAccount:${text}` : `user:${text}`;
}

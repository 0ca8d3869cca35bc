import type { JsonObject } from "@bufbuild/protobuf";
import { useState } from "react";
import { Dialog } from "../../../components/dialog.tsx";
import { DialogActions } from "../../../components/dialog-actions.tsx";
import { VariablesForm } from "./variables-form.tsx";

interface VariablesDialogProps {
  readonly app: string;
  /** What the session's variables are now. */
  readonly current: JsonObject;
  readonly onClose: () => void;
  readonly onSend: (values: JsonObject) => void;
}

/** Changes variables of a session that has begun. Only what was changed is sent. */
export function VariablesDialog({ app, current, onClose, onSend }: VariablesDialogProps) {
  const [changes, setChanges] = useState<JsonObject | undefined>({});
  const ready = changes !== undefined && Object.keys(changes).length > 0;
  const send = () => {
    if (changes) onSend(changes);
    onClose();
  };
  return (
    <Dialog title="Session variables" open onClose={onClose} dismissable={false}>
      <VariablesForm app={app} current={current} onChange={setChanges} />
      <DialogActions action="Set variables" isDisabled={!ready} onAction={send} onCancel={onClose} />
    </Dialog>
  );
}

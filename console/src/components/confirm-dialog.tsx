import { type ReactNode, useState } from "react";
import type { StatusError } from "../api/status-error.ts";
import { Banner } from "./banner.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";
import { TextField } from "./field.tsx";

interface ConfirmDialogProps {
  readonly open: boolean;
  /** The label of what will be deleted. */
  readonly name: string;
  /** The button's label, e.g. "Delete agent". */
  readonly action: string;
  /** What else goes with it. */
  readonly children: ReactNode;
  readonly error?: StatusError | undefined;
  readonly running: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms an action that cannot be undone: the user types the resource's name. */
export function ConfirmDialog({
  open,
  name,
  action,
  children,
  error,
  running,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState("");
  const close = () => {
    setTyped("");
    onClose();
  };
  return (
    <Dialog title={`${action} “${name}”?`} open={open} onClose={close}>
      <div className="stack">
        <div>{children}</div>
        <TextField label="Type the name to confirm" value={typed} onChange={setTyped} placeholder={name} />
        {error && <Banner tone="error" error={error} />}
      </div>
      <DialogActions
        tone="danger"
        action={action}
        runningLabel="Deleting…"
        running={running}
        isDisabled={typed !== name}
        onAction={onConfirm}
        onCancel={close}
      />
    </Dialog>
  );
}

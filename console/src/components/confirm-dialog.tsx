import { type ReactNode, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

interface ConfirmDialogProps {
  readonly open: boolean;
  /** What will be destroyed, as people call it. */
  readonly name: string;
  /** The deed, e.g. "Delete agent". */
  readonly action: string;
  /** What else goes with it. */
  readonly children: ReactNode;
  readonly refusal?: Refusal | undefined;
  readonly running: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a deed that cannot be undone: its name has to be typed. */
export function ConfirmDialog({
  open,
  name,
  action,
  children,
  refusal,
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
        <Field label="Type the name to confirm" value={typed} onChange={setTyped} placeholder={name} />
        {refusal && <Banner tone="bad" refusal={refusal} />}
      </div>
      <div className="actions">
        <Button onPress={close}>Keep it</Button>
        <Button tone="danger" isDisabled={typed !== name || running} onPress={onConfirm}>
          {running ? "Deleting …" : action}
        </Button>
      </div>
    </Dialog>
  );
}

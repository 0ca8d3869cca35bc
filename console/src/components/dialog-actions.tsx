import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface DialogActionsProps {
  /** The label of what the dialog is for, e.g. "Create key". */
  readonly action: string;
  /** The label while it is being done, e.g. "Creating…". Default: `action`. */
  readonly runningLabel?: string;
  readonly running?: boolean;
  /** Whether something is missing that it needs. Default false. */
  readonly isDisabled?: boolean;
  /** Whether it cannot be undone: "danger". Default "primary". */
  readonly tone?: "primary" | "danger";
  /** Absent: the button submits the form that it is in. */
  readonly onAction?: () => void;
  readonly onCancel: () => void;
}

/** The end of a dialog that does one thing: a button that leaves it undone, and one that does it, once. */
export function DialogActions({
  action,
  runningLabel = action,
  running = false,
  isDisabled = false,
  tone = "primary",
  onAction,
  onCancel,
}: DialogActionsProps) {
  return (
    <DialogButtons>
      <Button onPress={onCancel}>Cancel</Button>
      <Button
        tone={tone}
        isDisabled={isDisabled || running}
        {...(onAction ? { onPress: onAction } : { type: "submit" as const })}
      >
        {running ? runningLabel : action}
      </Button>
    </DialogButtons>
  );
}

/** The buttons at the end of a dialog that has other ones than `DialogActions`; the last is what most people want. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className="actions">{children}</div>;
}

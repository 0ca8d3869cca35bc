import type { ReactNode } from "react";

interface DialogFormProps {
  /** Whether everything is there and nothing is on its way; where not, the Enter key does nothing. */
  readonly ready: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** What is typed in a dialog. The Enter key submits it, as does its button of the type "submit". */
export function DialogForm({ ready, onSubmit, children }: DialogFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSubmit();
      }}
    >
      {children}
    </form>
  );
}

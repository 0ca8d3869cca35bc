import { type ComponentProps, type ReactNode, Suspense, useState } from "react";
import { Button } from "./button.tsx";

interface DialogButtonProps extends Omit<ComponentProps<typeof Button>, "onPress"> {
  /** The dialog that it opens, whose code may load then. */
  readonly dialog: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)} />
      {open && <Suspense>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
}

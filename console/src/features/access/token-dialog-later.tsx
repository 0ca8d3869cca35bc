import { lazy, Suspense } from "react";

const TokenDialog = lazy(() => import("./token-dialog.tsx").then((dialog) => ({ default: dialog.TokenDialog })));

interface TokenDialogLaterProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The dialog for the token, loaded when it is wanted: most servers never ask for one. */
export function TokenDialogLater({ open, onClose }: TokenDialogLaterProps) {
  return open ? (
    <Suspense>
      <TokenDialog onClose={onClose} />
    </Suspense>
  ) : null;
}

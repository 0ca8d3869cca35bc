import { KeyRound } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../components/button.tsx";
import { TokenDialogLater } from "./token-dialog-later.tsx";
import { useAccess } from "./use-access.ts";

/** Where a token is given, changed or forgotten at any time. */
export function AccessButton() {
  const { token } = useAccess();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={token ? "Access token: kept in this tab" : "Access token: none"} onPress={() => setOpen(true)}>
        <KeyRound size={18} aria-hidden="true" />
      </IconButton>
      <TokenDialogLater open={open} onClose={() => setOpen(false)} />
    </>
  );
}

import { useState } from "react";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { TokenDialogLater } from "./token-dialog-later.tsx";
import { useAccess } from "./use-access.ts";
import "../../styles/access.css";

/** Says on any page that the server wants a token, or another one, and takes it. Nothing of the page goes meanwhile. */
export function AccessNotice() {
  const { token, refusal } = useAccess();
  const [open, setOpen] = useState(false);
  return (
    <>
      {refusal !== undefined && (
        <div className="access-notice">
          <Banner tone="warning">
            <p>
              {token
                ? "The server does not take your token any more: it may have expired."
                : "This server tells its callers apart and asks who you are."}{" "}
              What you typed stays here.
            </p>
            <Button small onPress={() => setOpen(true)}>
              {token ? "Enter another token" : "Enter a token"}
            </Button>
          </Banner>
        </div>
      )}
      <TokenDialogLater open={open} onClose={() => setOpen(false)} />
    </>
  );
}

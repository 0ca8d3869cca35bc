import { KeyRound } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useAccessState } from "../../api/access-token.ts";
import { useSession } from "../../api/session.ts";
import { Banner } from "../../components/banner.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import "../../styles/access.css";

/** Where a token is given, changed or forgotten at any time. */
export function AccessTokenButton() {
  const { token } = useAccessState();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={token ? "Access token (set)" : "Access token (not set)"} onPress={() => setOpen(true)}>
        <KeyRound size={18} aria-hidden="true" />
      </IconButton>
      <LazyTokenDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}

/** Shown on every page when the server requires a token or rejected it. The page below keeps its state. */
export function AccessTokenNotice() {
  const { token, rejection } = useAccessState();
  const { authentication } = useSession();
  const [open, setOpen] = useState(false);
  if (authentication === "required" && token === "")
    return rejection === undefined ? null : (
      <Suspense>
        <SessionEndedNotice />
      </Suspense>
    );
  return (
    <>
      {rejection !== undefined && (
        <div className="access-notice">
          <Banner tone="warning">
            <p>
              {token
                ? "The server rejected your access token. It may have expired."
                : "This server requires an access token."}{" "}
              Your input is kept.
            </p>
            <Button small onPress={() => setOpen(true)}>
              {token ? "Enter another token" : "Enter a token"}
            </Button>
          </Banner>
        </div>
      )}
      <LazyTokenDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}

const SessionEndedNotice = lazy(() =>
  import("./session-ended-notice.tsx").then((notice) => ({ default: notice.SessionEndedNotice })),
);
const TokenDialog = lazy(() => import("./token-dialog.tsx").then((dialog) => ({ default: dialog.TokenDialog })));

interface LazyTokenDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The token dialog, loaded on demand: most servers never require a token. */
function LazyTokenDialog({ open, onClose }: LazyTokenDialogProps) {
  return open ? (
    <Suspense>
      <TokenDialog onClose={onClose} />
    </Suspense>
  ) : null;
}

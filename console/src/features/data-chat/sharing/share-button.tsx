import { Share2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../../api/permissions.ts";
import { Button } from "../../../components/button.tsx";
import type { WrittenStatement } from "../answer.ts";

const ShareDialog = lazy(() => import("./share-dialog.tsx").then((view) => ({ default: view.ShareDialog })));

interface ShareButtonProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly question: string;
  readonly statement: WrittenStatement;
}

/** Makes a link to an answer; nothing for people who may not. */
export function ShareButton(props: ShareButtonProps) {
  const [open, setOpen] = useState(false);
  const may = useMay(props.agent);
  if (!may("geminidataanalytics.sharedAnswers.create")) return null;
  return (
    <>
      <Button small tone="plain" onPress={() => setOpen(true)}>
        <Share2 size={15} aria-hidden="true" /> Share
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ShareDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

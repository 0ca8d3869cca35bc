import { Share2 } from "lucide-react";
import { lazy } from "react";
import { useMay } from "../../../api/permissions.ts";
import { DialogButton } from "../../../components/dialog-button.tsx";
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
  const may = useMay(props.agent);
  if (!may("geminidataanalytics.sharedAnswers.create")) return null;
  return (
    <DialogButton small tone="plain" dialog={(close) => <ShareDialog {...props} onClose={close} />}>
      <Share2 size={15} aria-hidden="true" /> Share
    </DialogButton>
  );
}

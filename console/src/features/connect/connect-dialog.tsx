import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SnippetTabs } from "./snippet-tabs.tsx";
import type { Subject } from "./snippets.ts";

interface ConnectDialogProps {
  readonly subject: Subject;
  readonly onClose: () => void;
}

/** The snippets for what is on screen, in front of it. */
export function ConnectDialog({ subject, onClose }: ConnectDialogProps) {
  return (
    <Dialog title="From your own code" open onClose={onClose} wide>
      <SnippetTabs subject={subject} />
      <div className="actions">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

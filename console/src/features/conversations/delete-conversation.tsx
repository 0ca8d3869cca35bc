import { useQueryClient } from "@tanstack/react-query";
import { agentService } from "../../api/clients.ts";
import { resourceId } from "../../api/resource-names.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { forgetListPlace } from "./list-place.ts";

interface DeleteConversationProps {
  /** Resource name of the conversation. */
  readonly name: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes a stored conversation with its traces, as somebody may ask whose words are in it. */
export function DeleteConversation({ name, onDeleted, onClose }: DeleteConversationProps) {
  const queries = useQueryClient();
  const { submit, running, error } = useSubmission(async () => {
    await agentService.deleteConversation({ name });
    // Lists that were read before have it still.
    forgetListPlace();
    queries.removeQueries({ type: "inactive" });
    onDeleted();
  });
  return (
    <Dialog title="Delete conversation?" open onClose={onClose}>
      <div className="stack">
        <p>
          All turns of <code>{resourceId(name)}</code> are deleted with their traces. You can't undo this; JSON saves a
          copy first.
        </p>
        {error && <Banner tone="error" error={error} />}
      </div>
      <DialogActions
        tone="danger"
        action="Delete conversation"
        runningLabel="Deleting…"
        running={running}
        onAction={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}

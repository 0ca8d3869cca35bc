import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { agentService } from "../../api/clients.ts";
import { resourceId } from "../../api/resource-names.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
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
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<StatusError>();
  const remove = async () => {
    setRunning(true);
    try {
      await agentService.deleteConversation({ name });
      // Lists that were read before have it still.
      forgetListPlace();
      queries.removeQueries({ type: "inactive" });
      onDeleted();
    } catch (thrown) {
      setError(toStatusError(thrown));
      setRunning(false);
    }
  };
  return (
    <Dialog title="Delete conversation?" open onClose={onClose}>
      <div className="stack">
        <p>
          All turns of <code>{resourceId(name)}</code> are deleted with their traces. You can't undo this; JSON saves a
          copy first.
        </p>
        {error && <Banner tone="error" error={error} />}
      </div>
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button tone="danger" isDisabled={running} onPress={() => void remove()}>
          {running ? "Deleting…" : "Delete conversation"}
        </Button>
      </div>
    </Dialog>
  );
}

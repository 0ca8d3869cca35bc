import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { Button } from "../../components/button.tsx";
import { DeleteSelection } from "../resources/delete-selection.tsx";
import { SelectionBar } from "../resources/selection-bar.tsx";
import { conversationDeleter } from "./delete-conversations.ts";
import { forgetListPlace } from "./list-place.ts";

interface ConversationSelectionProps {
  readonly app: string;
  /** Whether the list is on screen. A deletion that was begun stays. */
  readonly isShown: boolean;
  /** Names of those that are shown, and of those of them that are selected. */
  readonly shown: readonly string[];
  readonly selected: readonly string[];
  readonly onSelect: (names: readonly string[]) => void;
  readonly onDeleted: (names: readonly string[]) => void;
}

/** What is selected of a list of conversations, and its deletion. */
export function ConversationSelection({
  app,
  isShown,
  shown,
  selected,
  onSelect,
  onDeleted,
}: ConversationSelectionProps) {
  const may = useMay(app);
  const queries = useQueryClient();
  const [deleting, setDeleting] = useState<readonly string[]>();
  const close = (deleted: readonly string[]) => {
    setDeleting(undefined);
    if (deleted.length === 0) return;
    onDeleted(deleted);
    // Pages that were read before, and the place in them, have them still.
    forgetListPlace();
    queries.removeQueries({ type: "inactive" });
  };
  return (
    <>
      {isShown && (
        <SelectionBar
          shown={shown.length}
          selected={selected.length}
          onAll={() => onSelect(shown)}
          onClear={() => onSelect([])}
          actions={
            may("ces.conversations.delete") && (
              <Button small tone="danger" onPress={() => setDeleting(selected)}>
                <Trash2 size={16} aria-hidden="true" /> Delete {selected.length.toLocaleString()}…
              </Button>
            )
          }
        />
      )}
      {deleting && (
        <DeleteSelection
          names={deleting}
          words={["conversation", "conversations"]}
          deleter={conversationDeleter(app)}
          consequence="All their turns are deleted with their traces. You can't undo this; Export saves a copy first."
          onClose={close}
        />
      )}
    </>
  );
}

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { evaluationService } from "../../api/evaluation-service.ts";
import { useMay } from "../../api/permissions.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { Button } from "../../components/button.tsx";
import { DeleteSelection } from "../resources/delete-selection.tsx";
import { SelectionBar } from "../resources/selection-bar.tsx";
import { singly } from "../resources/use-deletion.ts";

interface EvaluationSelectionProps {
  readonly app: string;
  /** How many evaluations the app has. */
  readonly all: number;
  /** Names of those that are shown, and of those that are selected, hidden ones included. */
  readonly shown: readonly string[];
  readonly selected: readonly string[];
  readonly onSelect: (names: readonly string[]) => void;
}

/** What is selected of an app's evaluations, and its deletion. */
export function EvaluationSelection({ app, all, shown, selected, onSelect }: EvaluationSelectionProps) {
  const may = useMay(app);
  const refresh = useRefresh();
  const [deleting, setDeleting] = useState<readonly string[]>();
  const close = (deleted: readonly string[]) => {
    const gone = new Set(deleted);
    setDeleting(undefined);
    onSelect(selected.filter((name) => !gone.has(name)));
    if (deleted.length > 0) void refresh();
  };
  return (
    <>
      <SelectionBar
        shown={shown.length}
        selected={selected.length}
        onAll={() => onSelect([...selected, ...shown])}
        onClear={() => onSelect([])}
        actions={
          may("ces.evaluations.delete") && (
            <Button small tone="danger" onPress={() => setDeleting(selected)}>
              <Trash2 size={16} aria-hidden="true" /> Delete {selected.length.toLocaleString()}…
            </Button>
          )
        }
      >
        <b>{shown.length.toLocaleString()}</b>
        {shown.length < all && ` of ${all.toLocaleString()}`} {all === 1 ? "evaluation" : "evaluations"}
      </SelectionBar>
      {deleting && (
        <DeleteSelection
          names={deleting}
          words={["evaluation", "evaluations"]}
          deleter={DELETER}
          consequence="Their results are deleted with them and can't be had back. The Changelog restores evaluations one by one; Export saves a copy of all first."
          onClose={close}
        />
      )}
    </>
  );
}

const DELETER = singly((name) => evaluationService.deleteEvaluation({ name, force: true }));

import { evaluationService } from "../../api/evaluation-service.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { DeleteSelection } from "../resources/delete-selection.tsx";
import { singly } from "../resources/use-deletion.ts";

interface DeleteEvaluationsProps {
  readonly names: readonly string[];
  readonly onDeleted: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Deletes evaluations, after a question. The API takes them one by one. */
export function DeleteEvaluations({ names, onDeleted, onClose }: DeleteEvaluationsProps) {
  const refresh = useRefresh();
  return (
    <DeleteSelection
      names={names}
      words={["evaluation", "evaluations"]}
      deleter={DELETER}
      consequence="Their results are deleted with them and can't be had back. The Changelog restores evaluations one by one; Export saves a copy of all first."
      onClose={(deleted) => {
        onClose();
        onDeleted(deleted);
        if (deleted.length > 0) void refresh();
      }}
    />
  );
}

const DELETER = singly((name) => evaluationService.deleteEvaluation({ name, force: true }));

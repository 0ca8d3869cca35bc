import { resourceId } from "../../api/resource-names.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions, DialogButtons } from "../../components/dialog-actions.tsx";
import { type Deleter, type DeletionProgress, useDeletion } from "./use-deletion.ts";

interface DeleteSelectionProps {
  readonly names: readonly string[];
  /** What one of them is called, and several, e.g. "evaluation", "evaluations". */
  readonly words: readonly [one: string, many: string];
  readonly deleter: Deleter;
  /** What else goes with them, and whether they can be had back. */
  readonly consequence: string;
  /** Called with those that were deleted. */
  readonly onClose: (deleted: readonly string[]) => void;
}

/** Deletes what is selected, after a question, and shows how far it is and what could not be deleted. The selection must stay the same meanwhile. */
export function DeleteSelection({ names, words, deleter, consequence, onClose }: DeleteSelectionProps) {
  const { progress, begin, stop } = useDeletion(names, deleter);
  const what = counted(names.length, words);
  const close = () => onClose(progress?.deleted ?? []);
  if (!progress)
    return (
      <Dialog title={`Delete ${what}?`} open onClose={close}>
        <p>{consequence}</p>
        <DialogActions tone="danger" action={`Delete ${what}`} onAction={begin} onCancel={close} />
      </Dialog>
    );
  return (
    <Dialog title={`Delete ${what}`} open shownOnce={progress.isRunning} onClose={close}>
      <div className="stack">
        <p role="status">{statusOf(progress, names.length, words)}</p>
        {progress.isRunning && (
          <progress
            aria-label="Deleted"
            max={names.length}
            value={progress.deleted.length + progress.kept.length}
            style={{ width: "100%" }}
          />
        )}
        {progress.problem && <p className="invalid">{progress.problem}</p>}
        {progress.kept.length > 0 && (
          <ul className="outcome-list">
            {progress.kept.slice(0, MOST_NAMED).map(({ name, reason }) => (
              <li key={name}>
                <code>{resourceId(name)}</code> <span className="invalid">{reason}</span>
              </li>
            ))}
            {progress.kept.length > MOST_NAMED && <li>and {progress.kept.length - MOST_NAMED} more</li>}
          </ul>
        )}
      </div>
      <DialogButtons>
        {progress.isRunning ? (
          <Button onPress={stop}>Stop</Button>
        ) : (
          <Button tone="primary" onPress={close}>
            Close
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

/** How many that could not be deleted are named. */
const MOST_NAMED = 50;

function statusOf(
  { deleted, kept, isRunning }: DeletionProgress,
  all: number,
  words: DeleteSelectionProps["words"],
): string {
  const done = deleted.length.toLocaleString();
  if (isRunning) return `Deleted ${done} of ${all.toLocaleString()}…`;
  const left = all - deleted.length - kept.length;
  return [
    `Deleted ${counted(deleted.length, words)}.`,
    kept.length > 0 && `${kept.length.toLocaleString()} could not be deleted.`,
    left > 0 && `${left.toLocaleString()} ${left === 1 ? "is" : "are"} left as they were.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function counted(count: number, [one, many]: DeleteSelectionProps["words"]): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

import { Link } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { pagePath, resourceId } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";

/** What became of one conversation. */
interface Saved {
  readonly conversation: string;
  /** Name of the golden; absent: it could not be made, and `problem` says why. */
  readonly evaluation?: string;
  /** What of people it seems to have, in words. */
  readonly personalData?: readonly string[];
  readonly problem?: string;
}

/** Makes a golden from each of the selected conversations, one after another, and lists what it made. */
export function SaveSelection({ conversations }: { readonly conversations: readonly string[] }) {
  const [saved, setSaved] = useState<readonly Saved[]>([]);
  const [total, setTotal] = useState(0);
  const [open, setOpen] = useState(false);
  const save = async () => {
    setTotal(conversations.length);
    setSaved([]);
    setOpen(true);
    const { generateEvaluation } = await import("./generate-evaluation.ts");
    for (const conversation of conversations) {
      const made = await generateEvaluation(conversation).then(
        ({ name: evaluation, personalData }) => ({ conversation, evaluation, personalData }),
        (error: unknown) => ({ conversation, problem: toStatusError(error).message }),
      );
      setSaved((before) => [...before, made]);
    }
  };
  const count = conversations.length;
  const isRunning = saved.length < total;
  return (
    <>
      <Button onPress={() => void save()} isDisabled={isRunning}>
        <FlaskConical size={16} aria-hidden="true" /> Save {count.toLocaleString()} as{" "}
        {count === 1 ? "evaluation" : "evaluations"}
      </Button>
      {open && (
        <Dialog title="Save as evaluations" open dismissable={false} onClose={() => setOpen(false)}>
          <p role="status">{isRunning ? `Saved ${saved.length} of ${total}…` : summaryOf(saved)}</p>
          <ul className="outcome-list">
            {saved.map(({ conversation, evaluation, personalData = [], problem }) => (
              <li key={conversation}>
                {evaluation ? (
                  <>
                    <Link to={pagePath(evaluation)} search={{ conversation: resourceId(conversation) }}>
                      {resourceId(conversation)}
                    </Link>
                    {personalData.length > 0 && (
                      <span className="muted"> seems to have personal data: {personalData.join(", ")}</span>
                    )}
                  </>
                ) : (
                  <>
                    <code>{resourceId(conversation)}</code> <span className="invalid">{problem}</span>
                  </>
                )}
              </li>
            ))}
          </ul>
          <DialogButtons>
            <Button tone="primary" isDisabled={isRunning} onPress={() => setOpen(false)}>
              Close
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}

function summaryOf(saved: readonly Saved[]): string {
  const failed = saved.filter(({ problem }) => problem !== undefined).length;
  const made = saved.length - failed;
  const words = `Made ${made.toLocaleString()} ${made === 1 ? "evaluation" : "evaluations"}.`;
  return failed > 0 ? `${words} ${failed.toLocaleString()} could not be made.` : words;
}

import { useBlocker } from "@tanstack/react-router";
import type { Resource } from "../../api/resource-kind.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Draft } from "./use-draft.ts";

/** Asks when a page with unsaved changes is left. They are kept in this browser unless they are discarded. */
export function LeaveDialog<Kind extends Resource>({ draft }: { readonly draft: Draft<Kind> }) {
  const dirty = draft.changed.length > 0;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty && draft.unkept,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  const saveAndGo = async () => ((await draft.save()) ? proceed() : reset());
  return (
    <Dialog title="Leave with unsaved changes?" open onClose={reset}>
      <p>What you changed is kept in this browser and is here again when you come back.</p>
      <div className="actions wrap">
        <Button onPress={reset}>Stay</Button>
        <Button onPress={proceed}>Leave, keep for later</Button>
        <Button tone="primary" isDisabled={draft.saving} onPress={() => void saveAndGo()}>
          {draft.saving ? "Saving …" : "Save and leave"}
        </Button>
      </div>
    </Dialog>
  );
}

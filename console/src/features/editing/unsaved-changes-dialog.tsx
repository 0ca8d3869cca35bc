import { useBlocker } from "@tanstack/react-router";
import type { Resource } from "../../api/resource-types.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { ResourceEditor } from "./use-resource-editor.ts";

/** Asks when a page with unsaved changes is left. This browser stores them unless the user discards them. */
export function UnsavedChangesDialog<Kind extends Resource>({ editor }: { readonly editor: ResourceEditor<Kind> }) {
  const dirty = editor.changed.length > 0;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty && editor.storageFull,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  const saveAndGo = async () => ((await editor.save()) ? proceed() : reset());
  return (
    <Dialog title="Leave this page?" open onClose={reset}>
      <p>You have unsaved changes. They are stored in this browser until you come back.</p>
      <div className="actions wrap">
        <Button onPress={reset}>Stay</Button>
        <Button onPress={proceed}>Leave without saving</Button>
        <Button tone="primary" isDisabled={editor.saving} onPress={() => void saveAndGo()}>
          {editor.saving ? "Saving…" : "Save and leave"}
        </Button>
      </div>
    </Dialog>
  );
}

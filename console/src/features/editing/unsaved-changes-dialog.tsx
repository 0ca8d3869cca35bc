import { useBlocker } from "@tanstack/react-router";
import type { Resource } from "../../api/resource-types.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import type { ResourceEditor } from "./use-resource-editor.ts";

interface UnsavedChangesProps<Kind extends Resource> {
  readonly editor: ResourceEditor<Kind>;
  /** Fields whose text is no value, which is stored nowhere. */
  readonly unreadable: readonly string[];
}

/** Asks when a page with unsaved changes is left. This browser stores them unless the user discards them. */
export function UnsavedChangesDialog<Kind extends Resource>({ editor, unreadable }: UnsavedChangesProps<Kind>) {
  const isUnreadable = unreadable.length > 0;
  const dirty = editor.changed.length > 0 || isUnreadable;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty && (editor.storageFull || isUnreadable),
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  const saveAndGo = async () => ((await editor.save()) ? proceed() : reset());
  return (
    <Dialog title="Leave this page?" open onClose={reset}>
      {editor.changed.length > 0 && (
        <p>You have unsaved changes. They are stored in this browser until you come back.</p>
      )}
      {isUnreadable && <p>What cannot be read yet is lost: {unreadable.join(", ")}.</p>}
      <DialogButtons>
        <Button onPress={reset}>Stay</Button>
        <Button onPress={proceed}>Leave without saving</Button>
        <Button tone="primary" isDisabled={editor.saving || isUnreadable} onPress={() => void saveAndGo()}>
          {editor.saving ? "Saving…" : "Save and leave"}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

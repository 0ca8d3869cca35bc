import { useEffect } from "react";
import type { Resource } from "../../api/resource-types.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { fieldLabelInSentence } from "../message-form/field-labels.ts";
import { unsavedSince } from "./unsaved-since.ts";
import type { ResourceEditor } from "./use-resource-editor.ts";
import "../../styles/edit/save-bar.css";

interface SaveBarProps<Kind extends Resource> {
  readonly editor: ResourceEditor<Kind>;
  /** Fields whose text is no value: nothing is saved before they are corrected. */
  readonly unreadable: readonly string[];
  /** Called when the changes are discarded. */
  readonly onDiscard: () => void;
}

/** What is not saved, and the buttons that save or discard it. Control or Command with S saves, too. */
export function SaveBar<Kind extends Resource>({ editor, unreadable, onDiscard }: SaveBarProps<Kind>) {
  const { changed, saving, error, stale, restoredFrom, storageFull, save, discard } = editor;
  const dirty = changed.length > 0;
  const isUnreadable = unreadable.length > 0;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!isUnreadable) void save();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [save, isUnreadable]);
  if (!dirty && !isUnreadable) return null;
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      {error && <Banner tone="error" error={error} />}
      {stale && !error && (
        <Banner tone="warning">
          Someone else changed this resource. When you save, you can compare both versions.
        </Banner>
      )}
      <div className="row wrap">
        <p className="save-status" role="status">
          {dirty && (
            <>
              <b>{unsavedSince(restoredFrom)}</b> {changed
                .map(({ name }) => fieldLabelInSentence(name))
                .join(", ")}{" "}
            </>
          )}
          {isUnreadable && <span className="invalid">Cannot be read yet: {unreadable.join(", ")}</span>}
          {storageFull && "  (too large to be stored in this browser: a reload discards them)"}
        </p>
        <div className="row end">
          <Button
            onPress={() => {
              discard();
              onDiscard();
            }}
            isDisabled={saving}
          >
            Discard
          </Button>
          <Button tone="primary" onPress={() => void save()} isDisabled={saving || isUnreadable}>
            {saving ? "Saving…" : "Save"}
          </Button>
        </div>
      </div>
    </section>
  );
}

import { useEffect } from "react";
import type { Resource } from "../../api/resource-kind.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { inSentence } from "../message-form/words.ts";
import type { Draft } from "./use-draft.ts";
import "../../styles/edit/save-bar.css";

/** What is not saved, and the buttons that save or discard it. Control or Command with S saves, too. */
export function SaveBar<Kind extends Resource>({ draft }: { readonly draft: Draft<Kind> }) {
  const { changed, saving, refusal, outdated, restoredFrom, unkept, save, discard } = draft;
  const dirty = changed.length > 0;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void save();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [save]);
  if (!dirty) return null;
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      {refusal && <Banner tone="bad" refusal={refusal} />}
      {outdated && !refusal && (
        <Banner tone="warning">Somebody else changed this meanwhile. When you save, both texts are shown.</Banner>
      )}
      <div className="row wrap">
        <p className="save-told" role="status">
          <b>{restoredFrom === undefined ? "Not saved:" : `Not saved since ${when(restoredFrom)}:`}</b>{" "}
          {changed.map(({ name }) => inSentence(name)).join(", ")}
          {unkept && " — too long to be kept over a reload"}
        </p>
        <div className="row end">
          <Button onPress={discard} isDisabled={saving}>
            Discard
          </Button>
          <Button tone="primary" onPress={() => void save()} isDisabled={saving}>
            {saving ? "Saving …" : "Save"}
          </Button>
        </div>
      </div>
    </section>
  );
}

function when(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

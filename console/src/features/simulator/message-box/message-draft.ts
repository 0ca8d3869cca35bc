import { useCallback, useState } from "react";

/** What is typed and not yet sent, remembered by this tab under `key` until it is: a reload or an error loses nothing. */
export function useMessageDraft(key: string): readonly [string, (text: string) => void] {
  const stored = storedAs(key);
  const [text, setText] = useState(() => readDraft(stored));
  const change = useCallback(
    (next: string) => {
      setText(next);
      try {
        if (next) sessionStorage.setItem(stored, next);
        else sessionStorage.removeItem(stored);
      } catch {
        // Without room it is only on the page.
      }
    },
    [stored],
  );
  return [text, change];
}

/** Moves the typed text to another message box before that one is rendered: a session that replaces another keeps the draft. */
export function moveDraft(from: string, to: string): void {
  const text = readDraft(storedAs(from));
  if (text === "") return;
  try {
    sessionStorage.removeItem(storedAs(from));
    sessionStorage.setItem(storedAs(to), text);
  } catch {
    // A browser that stores nothing has nothing to hand over.
  }
}

function readDraft(stored: string): string {
  try {
    return sessionStorage.getItem(stored) ?? "";
  } catch {
    return "";
  }
}

function storedAs(key: string): string {
  return `frontdesk.message.${key}`;
}

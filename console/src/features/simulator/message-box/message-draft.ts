import { useCallback, useState } from "react";

/** What is typed and not yet sent, remembered by this tab under `key` until it is: a reload or a refusal loses nothing. */
export function useMessageDraft(key: string): readonly [string, (text: string) => void] {
  const stored = `frontdesk.message.${key}`;
  const [text, setText] = useState(() => sessionStorage.getItem(stored) ?? "");
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

import { useEffect, useRef } from "react";

/** Milliseconds after the last change until it is stored; a page that is left, closed or reloaded stores it at once. */
const SETTLED = 400;

/** Calls `store` a moment after it became another function, as what it stores has changed, and when the page is left before. */
export function useStored(store: () => void): void {
  const storeNow = useRef<() => void>(undefined);
  useEffect(() => {
    const timer = setTimeout(store, SETTLED);
    storeNow.current = store;
    window.addEventListener("pagehide", store);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", store);
    };
  }, [store]);

  // Another page of the console may be opened before the time is over.
  useEffect(() => () => storeNow.current?.(), []);
}

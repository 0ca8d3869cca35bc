import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { takeFreeFocus } from "./free-focus.ts";

const TABBABLE = "button:enabled, a[href], input:enabled, [tabindex='0']";

interface KeptFocus<E extends HTMLElement> {
  readonly ref: RefObject<E | null>;
  readonly onFocus: (event: FocusEvent) => void;
}

/**
 * Keeps the focus among controls that come and go, as props of what holds them: a button that is gone once it is pressed, or once the dialog
 * that it opened is closed, would leave a keyboard at the top of the page. What is in its place then gets the focus.
 */
export function useKeptFocus<E extends HTMLElement>(): KeptFocus<E> {
  const ref = useRef<E>(null);
  const last = useRef<{ element: Element; place: number }>(null);
  const tabbable = () => [...(ref.current?.querySelectorAll<HTMLElement>(TABBABLE) ?? [])];
  useLayoutEffect(() => {
    if (!last.current) return;
    const { element, place } = last.current;
    if (element.isConnected) {
      if (element === document.activeElement) last.current.place = tabbable().indexOf(element as HTMLElement);
      return;
    }
    // Until it is closed, a dialog has the focus.
    if (document.activeElement?.closest("[role='dialog'], [role='alertdialog']")) return;
    last.current = null;
    const take = () => {
      const left = tabbable();
      takeFreeFocus(left[Math.min(Math.max(place, 0), left.length - 1)] ?? null);
    };
    take();
    // What is around a dialog is inert for a moment longer than the dialog is there.
    requestAnimationFrame(take);
  });
  return {
    ref,
    onFocus: ({ target }) => {
      // Portals are children for React: what a dialog focuses is not among the controls.
      if (ref.current?.contains(target))
        last.current = { element: target, place: tabbable().indexOf(target as HTMLElement) };
    },
  };
}

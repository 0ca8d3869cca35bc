/** Focuses an element unless something else on the page has the focus: nobody's typing is interrupted. */
export function takeFreeFocus(element: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) element?.focus();
}

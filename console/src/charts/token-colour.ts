/** The colour that a custom property of `tokens.css` has at a place. They are `light-dark()` pairs, which only the browser resolves. */
export function tokenColour(place: HTMLElement, name: string): string {
  const probe = place.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

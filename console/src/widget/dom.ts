/** Creates an element with properties and children. It never parses HTML, so content cannot run. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.append(...inside);
  return element;
}

/**
 * A link: only to web addresses, mail and telephones, and not to those that hide their server behind a name and an `@`. Words that are another address give
 * way to the one that they lead to. Pages of the same site take the place of this one, because the chat goes on there and not in another tab.
 */
export function makeLink(address: string, text: string, inside: readonly (Node | string)[] = [text]): HTMLElement {
  const url = URL.parse(address);
  if (!url || !["https:", "http:", "mailto:", "tel:"].includes(url.protocol) || url.username || url.password) {
    return make("span", {}, ...inside);
  }
  const words = isOtherAddress(text.trim(), url) ? [url.href] : inside;
  if (url.origin === location.origin) return make("a", { href: url.href }, ...words);
  return make("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, ...words);
}

function isOtherAddress(text: string, { host }: URL): boolean {
  const named = /^(?:https?:\/\/|www\.)/i.test(text) && URL.parse(text.startsWith("www.") ? `https://${text}` : text);
  return Boolean(named && named.host !== host);
}

/** An image from a web address; undefined for other addresses. The Content Security Policy of the page applies. */
export function makeImage(address: string, alt: string): HTMLElement | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return make("img", { src: url.href, alt, loading: "lazy", referrerPolicy: "no-referrer" });
}

/** An image of an answer, from base64; undefined for types that may run code. The Content Security Policy of the page applies. */
export function makeInlineImage(mimeType: string, base64: string): HTMLElement | undefined {
  if (!["image/png", "image/jpeg", "image/webp"].includes(mimeType) || !/^[\w+/=-]*$/.test(base64)) return undefined;
  return make("img", { src: `data:${mimeType};base64,${base64}`, alt: "" });
}

const SVG = "http://www.w3.org/2000/svg";

/** A picture of one shape in the colour of the words, which says nothing to a screen reader. */
export function makeIcon(shape: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", shape);
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

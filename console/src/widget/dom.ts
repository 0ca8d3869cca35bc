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

/** A link: only to web addresses, mail and telephones. Pages of the same site take the place of this one, because the chat goes on there and not in another tab. */
export function makeLink(address: string, text: string): HTMLElement {
  const url = URL.parse(address);
  if (!url || !["https:", "http:", "mailto:", "tel:"].includes(url.protocol)) return make("span", {}, text);
  if (url.origin === location.origin) return make("a", { href: url.href }, text);
  return make("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, text);
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

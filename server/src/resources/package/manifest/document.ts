/**
 * A manifest on its way to a file: fields in their final order, numbers as they will be spelled. JSON and YAML are two
 * spellings of one document.
 */
export type Document =
  | { readonly kind: "text"; readonly text: string }
  /** A number, `true`, `false` or `null`, already spelled. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Document[] }
  | { readonly kind: "object"; readonly members: readonly Member[] };

export type Member = readonly [key: string, value: Document];

/** Orders strings by Unicode code point: JavaScript's own order differs beyond the basic plane. */
export function compareCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8"));
}

import type { TextList } from "./contract.ts";
import type { JsonObject } from "./json.ts";

/** A page has so many items at most, and so many characters unless its first item alone has more. */
const PAGE_ITEMS = 64;
const PAGE_CHARACTERS = 256 << 10;

/** As many of the last items, and characters, go with the call: most code looks at no others. */
const LAST_ITEMS = 32;
const LAST_CHARACTERS = 64 << 10;

/** An item of more characters is not sent: the code could not work with it. */
const ITEM_LIMIT = 8 << 20;

/**
 * Answers a guest that reads a list: `{first, items}`, neighbouring items as JSON texts with the asked one among them, which is the first,
 * or with `backwards` the last. What was asked comes from where the user's code ran.
 */
export function readPage(lists: readonly TextList[], question: JsonObject): JsonObject {
  const { list: number, index, backwards } = question;
  const list = typeof number === "number" ? lists[number] : undefined;
  if (!list || typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= list.length)
    return { refused: "there is no such item" };
  const step = backwards === true ? -1 : 1;
  const items: string[] = [];
  let characters = 0;
  for (let at = index; at >= 0 && at < list.length && items.length < PAGE_ITEMS; at += step) {
    const text = list.text(at);
    characters += text.length;
    if (items.length > 0 && characters > PAGE_CHARACTERS) break;
    if (text.length > ITEM_LIMIT)
      return { refused: `item ${at} has ${text.length} characters as JSON; the limit is ${ITEM_LIMIT}` };
    items.push(text);
  }
  if (step > 0) return { result: { first: index, items } };
  return { result: { first: index - items.length + 1, items: items.reverse() } };
}

/** The last items of a list, none when the last one is large. */
export function lastItems(list: TextList): { readonly first: number; readonly items: readonly string[] } {
  const items: string[] = [];
  let left = LAST_CHARACTERS;
  for (let at = list.length - 1; at >= 0 && items.length < LAST_ITEMS; at--) {
    const text = list.text(at);
    left -= text.length;
    if (left < 0) break;
    items.push(text);
  }
  return { first: list.length - items.length, items: items.reverse() };
}

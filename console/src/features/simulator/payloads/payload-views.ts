import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { webLink } from "../web-link.ts";

/** A card of a carousel, a comparison, or alone. */
export interface Card {
  readonly title: string;
  readonly text: string;
  readonly price: string;
  /** An address on the web; absent when it is none that a page may link to. */
  readonly link?: string;
  readonly facts: readonly DescriptionItem[];
}

/** A name and what it is. */
interface DescriptionItem {
  readonly name: string;
  readonly value: string;
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly string[];
}

/** The rendering of a payload. Selecting something in it sends text, as if the user had typed it. */
export type PayloadView =
  | { readonly kind: "cards"; readonly heading: string; readonly cards: readonly Card[] }
  | { readonly kind: "actions"; readonly heading: string; readonly actions: readonly string[] }
  | { readonly kind: "form"; readonly heading: string; readonly fields: readonly FormField[] }
  | { readonly kind: "rating"; readonly heading: string; readonly most: number }
  | { readonly kind: "facts"; readonly heading: string; readonly facts: readonly DescriptionItem[] };

/** Entries that are rendered of any list: more would only slow down the page. */
const MOST = 50;
/** Characters of any text in a widget. */
const LONGEST = 2_000;

const TITLES = ["title", "name", "label", "text", "displayName", "display_name", "heading"];
const TEXTS = ["subtitle", "description", "body", "summary", "brand"];
const PRICES = ["price", "formattedPrice", "amount", "total"];
const LINKS = ["link", "url", "uri", "href", "productUrl", "actionLink"];

/** How a payload is rendered: widgets by their type, rich content of messengers by its parts; undefined for what is neither. */
export function payloadViews(payload: JsonObject): readonly PayloadView[] | undefined {
  const views = isObject(payload.widget) ? widgetViews(payload.widget) : richContentViews(payload.richContent);
  return views.length > 0 ? views : undefined;
}

function widgetViews({ type, name, parameters }: JsonObject): readonly PayloadView[] {
  const given = isObject(parameters) ? parameters : {};
  const heading = textAt(given, ["heading", "title", "header", "question"]) || words(String(name ?? ""));
  const list = listsOf(given)[0] ?? [];
  switch (type) {
    case "PRODUCT_CAROUSEL":
    case "PRODUCT_COMPARISON":
      return [{ kind: "cards", heading, cards: list.map(cardOf) }];
    case "PRODUCT_DETAILS":
    case "ADVANCED_PRODUCT_DETAILS":
      return [{ kind: "cards", heading: "", cards: [cardOf(isObject(given.product) ? given.product : given)] }];
    case "QUICK_ACTIONS":
      return [{ kind: "actions", heading, actions: list.map(labelOf).filter(Boolean) }];
    case "SHORT_FORM":
    case "CONTACT_FORM":
      return [{ kind: "form", heading, fields: list.map(fieldOf) }];
    case "APPOINTMENT_SCHEDULER":
      return [{ kind: "actions", heading, actions: list.map(labelOf).filter(Boolean) }];
    case "OVERALL_SATISFACTION":
      return [{ kind: "rating", heading, most: ratingOf(given) }];
    case "ORDER_SUMMARY":
    case "APPOINTMENT_DETAILS":
      return [{ kind: "facts", heading, facts: factsOf(given, []) }];
    default:
      return [];
  }
}

/** Rich content as Dialogflow Messenger has it: rows of parts with a `type`. */
function richContentViews(content: JsonValue | undefined): readonly PayloadView[] {
  if (!Array.isArray(content)) return [];
  return content
    .flat()
    .filter(isObject)
    .slice(0, MOST)
    .flatMap((part): PayloadView[] => {
      switch (part.type) {
        case "chips":
          return [{ kind: "actions", heading: "", actions: listAt(part, "options").map(labelOf).filter(Boolean) }];
        case "info":
        case "list":
        case "accordion":
        case "button":
          return [{ kind: "cards", heading: "", cards: [cardOf(part)] }];
        case "description": {
          const lines = Array.isArray(part.text) ? part.text.map(String) : [];
          return [{ kind: "cards", heading: "", cards: [{ ...cardOf(part), text: clipped(lines.join("\n")) }] }];
        }
        default:
          return [];
      }
    });
}

function cardOf(value: JsonValue): Card {
  if (!isObject(value)) return { title: clipped(textOf(value)), text: "", price: "", facts: [] };
  const link = webLink(textAt(value, LINKS));
  return {
    title: textAt(value, TITLES),
    text: textAt(value, TEXTS),
    price: textAt(value, PRICES),
    link,
    facts: factsOf(value, [...TITLES, ...TEXTS, ...PRICES, ...LINKS, "type", "id", "image", "imageUrl", "image_url"]),
  };
}

function fieldOf(value: JsonValue): FormField {
  if (!isObject(value)) return { name: textOf(value), label: words(textOf(value)), choices: [] };
  const name = textAt(value, ["name", "id", "key", "label"]);
  const options = [...listAt(value, "options"), ...listAt(value, "choices")];
  return { name, label: textAt(value, ["label", "title", "question"]) || words(name), choices: options.map(labelOf) };
}

function labelOf(value: JsonValue): string {
  return isObject(value) ? textAt(value, [...TITLES, "value", "time", "startTime"]) : clipped(textOf(value));
}

function ratingOf({ max, maxRating, scale }: JsonObject): number {
  const most = Number(max ?? maxRating ?? scale ?? 5);
  return Number.isInteger(most) && most >= 2 && most <= 10 ? most : 5;
}

function factsOf(value: JsonObject, without: readonly string[]): readonly DescriptionItem[] {
  return Object.entries(value)
    .filter(([name, fact]) => !without.includes(name) && fact !== null && fact !== "")
    .slice(0, MOST)
    .map(([name, fact]) => ({ name: words(name), value: clipped(factText(fact)) }));
}

function factText(value: JsonValue): string {
  if (Array.isArray(value)) return value.slice(0, MOST).map(factText).join(", ");
  if (!isObject(value)) return textOf(value);
  return textAt(value, TITLES) || JSON.stringify(value);
}

function listsOf(value: JsonObject): readonly JsonValue[][] {
  return Object.values(value)
    .filter(Array.isArray)
    .map((list) => list.slice(0, MOST));
}

function listAt(value: JsonObject, name: string): readonly JsonValue[] {
  const list = value[name];
  return Array.isArray(list) ? list.slice(0, MOST) : [];
}

function textAt(value: JsonObject, names: readonly string[]): string {
  const found = names
    .map((name) => value[name])
    .find((text) => ["string", "number"].includes(typeof text) && text !== "");
  return found === undefined ? "" : clipped(textOf(found));
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function words(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .trim();
  return clipped(spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase());
}

function clipped(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

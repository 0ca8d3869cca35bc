import { make, makeImage, makeLink } from "./dom.ts";
import { richText } from "./rich-text.ts";

/** JSON as it came over the wire. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** What a person can do with rich content. */
export interface RichActions {
  /** Label of what chooses a card. */
  readonly choose: string;
  /** Says the text, as if it had been typed. */
  readonly say: (text: string) => void;
  readonly event: (name: string) => void;
}

/**
 * A payload as cards, chips and lists: the `richContent` of Dialogflow Messenger (an array of arrays of elements with a
 * `type`), or whatever else as names and values. What is not of the form it claims is shown as text.
 */
export function richContent(payload: JsonObject, actions: RichActions): readonly HTMLElement[] {
  const { richContent: groups } = payload;
  if (!Array.isArray(groups)) return [valuesOf(payload)];
  return groups.map((group: Json) => {
    const elements = (Array.isArray(group) ? group : [group]).filter(isObject);
    return make("div", { className: "card" }, ...elements.flatMap((element) => elementOf(element, actions)));
  });
}

/** A widget of a widget tool: actions as chips, things as cards, everything else as names and values. */
export function widgetContent(args: JsonObject, actions: RichActions): readonly HTMLElement[] {
  const lists = Object.values(args).filter((value) => Array.isArray(value)) as readonly (readonly Json[])[];
  const plain = Object.fromEntries(Object.entries(args).filter(([, value]) => !Array.isArray(value)));
  const heads = [plain.heading, plain.title, plain.text].filter((value) => typeof value === "string");
  const rest = Object.entries(plain).filter(([, value]) => !heads.includes(value as string));
  return [
    ...heads.map((head) => make("p", { className: "title" }, head)),
    ...lists.map((list) => listOf(list, actions)),
    ...(rest.length > 0 ? [valuesOf(Object.fromEntries(rest))] : []),
  ];
}

function listOf(list: readonly Json[], actions: RichActions): HTMLElement {
  const { say } = actions;
  const things = list
    .filter(isObject)
    .filter((thing) => pictureOf(thing) || thing.price !== undefined || thing.description);
  if (things.length > 0 && things.length === list.length) {
    return make("div", { className: "cards" }, ...things.map((thing) => cardOf(thing, actions)));
  }
  const labels = list.map((item) => (isObject(item) ? labelOf(item) : text(item))).filter((label) => label !== "");
  return make("div", { className: "chips" }, ...labels.map((label) => chip(label, () => say(label))));
}

function cardOf(thing: JsonObject, { say, choose }: RichActions): HTMLElement {
  const title = labelOf(thing);
  const picture = makeImage(pictureOf(thing), title);
  const lines = [thing.description, thing.subtitle, thing.price].map(text).filter((line) => line !== "");
  return make(
    "div",
    { className: "card" },
    ...(picture ? [picture] : []),
    make("p", { className: "title" }, title),
    ...lines.map((line) => make("p", {}, line)),
    chip(choose, () => say(title), `${choose} ${title}`),
  );
}

function elementOf(element: JsonObject, { say, event }: RichActions): readonly HTMLElement[] {
  const title = text(element.title);
  switch (element.type) {
    case "chips": {
      const options = objects(element.options);
      const chips = options.map((option) => {
        const label = text(option.text);
        return text(option.link) ? makeLink(text(option.link), label) : chip(label, () => say(label));
      });
      return [make("div", { className: "chips" }, ...chips)];
    }
    case "button": {
      const label = text(element.text) || title;
      if (text(element.link)) return [makeLink(text(element.link), label)];
      const name = isObject(element.event) ? text(element.event.event) || text(element.event.name) : "";
      return [chip(label, () => (name ? event(name) : say(label)))];
    }
    case "image": {
      const picture = makeImage(text(element.rawUrl), text(element.accessibilityText));
      return picture ? [picture] : [];
    }
    case "divider":
      return [make("hr")];
    case "accordion":
      return [make("details", {}, make("summary", {}, title), ...itemOf({ ...element, title: "" }))];
    case "info":
    case "description":
    case "list":
      return itemOf(element);
    default:
      return [valuesOf(element)];
  }
}

/** A picture, a heading, which may be a link, and lines of text. */
function itemOf(element: JsonObject): readonly HTMLElement[] {
  const title = text(element.title);
  const source = isObject(element.image) ? element.image.src : undefined;
  const picture = makeImage(isObject(source) ? text(source.rawUrl) : "", "");
  const head = text(element.actionLink) ? makeLink(text(element.actionLink), title) : make("span", {}, title);
  const lines = [element.subtitle, element.text].flatMap((value) => (Array.isArray(value) ? value : [value])).map(text);
  return [
    ...(picture ? [picture] : []),
    ...(title ? [make("p", { className: "title" }, head)] : []),
    ...lines.filter((line) => line !== "").flatMap(richText),
  ];
}

/** Names and values, for what has no looks of its own. */
function valuesOf(value: JsonObject): HTMLElement {
  const rows = Object.entries(value).map(([name, inside]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, typeof inside === "string" ? inside : JSON.stringify(inside))),
  );
  return make("dl", {}, ...rows);
}

function chip(label: string, onClick: () => void, name = label): HTMLElement {
  return make("button", { type: "button", className: "chip", ariaLabel: name, onclick: onClick }, label);
}

function labelOf(thing: JsonObject): string {
  return [thing.title, thing.name, thing.label, thing.text].map(text).find((label) => label !== "") ?? "";
}

function pictureOf(thing: JsonObject): string {
  return (
    [thing.image, thing.imageUrl, thing.image_url, thing.imageUri].map(text).find((address) => address !== "") ?? ""
  );
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

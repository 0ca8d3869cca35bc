import { Parser } from "htmlparser2";
import type { JsonObject } from "#base";
import { MAX_CHARACTERS, type ParsedDocument, type Section } from "./parsed-document.ts";

const SKIPPED = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "object",
  "nav",
  "form",
  "button",
]);
const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt fieldset figcaption figure footer header hr li main ol p pre section table tr ul".split(
    " ",
  ),
);
const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/**
 * The text of a page without scripts, styles, navigation and forms. Headings begin sections; `<meta name>` becomes metadata. The parser
 * accepts any input, and nothing of the page is executed or fetched.
 */
export function parseHtml(html: string): ParsedDocument {
  const page = new Page();
  const parser = new Parser(page, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return page.document();
}

class Page {
  readonly #sections: { heading: string; text: string }[] = [{ heading: "", text: "" }];
  readonly #data: JsonObject = {};
  #title = "";
  #skipping = 0;
  #collecting: "text" | "title" | "heading" = "text";
  #left = MAX_CHARACTERS;

  onopentag(name: string, attributes: Record<string, string>): void {
    if (SKIPPED.has(name)) this.#skipping++;
    if (name === "meta") this.#meta(attributes);
    if (name === "html" && attributes.lang) this.#data.lang_code = attributes.lang;
    if (name === "title") this.#collecting = "title";
    if (HEADINGS.has(name)) {
      this.#sections.push({ heading: "", text: "" });
      this.#collecting = "heading";
    }
    if (BLOCKS.has(name)) this.#add("\n");
    if (name === "td" || name === "th") this.#add(" ");
  }

  onclosetag(name: string): void {
    if (SKIPPED.has(name)) this.#skipping = Math.max(0, this.#skipping - 1);
    if (name === "title" || HEADINGS.has(name)) this.#collecting = "text";
    if (BLOCKS.has(name)) this.#add("\n");
  }

  ontext(text: string): void {
    if (this.#skipping > 0 || this.#left <= 0) return;
    this.#left -= text.length;
    if (this.#collecting === "title") this.#title += text;
    else this.#add(text.replace(/\s+/g, " "));
  }

  document(): ParsedDocument {
    const sections: readonly Section[] = this.#sections
      .map(({ heading, text }) => ({ heading: squeeze(heading), text: paragraphs(text) }))
      .filter(({ heading, text }) => heading !== "" || text !== "");
    const title = squeeze(this.#title) || (sections.find(({ heading }) => heading !== "")?.heading ?? "");
    return { title, uri: "", sections, data: this.#data };
  }

  #add(text: string): void {
    const section = this.#sections.at(-1);
    if (!section) return;
    if (this.#collecting === "heading") section.heading += text;
    else section.text += text;
  }

  #meta({ name, property, content }: Record<string, string>): void {
    const key = name || property;
    if (!key || content === undefined || Object.keys(this.#data).length >= 50) return;
    this.#data[key.slice(0, 100)] = content.slice(0, 1_000);
  }
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function paragraphs(text: string): string {
  return text
    .split("\n")
    .map(squeeze)
    .filter((line) => line !== "")
    .join("\n");
}

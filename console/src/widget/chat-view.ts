import { make } from "./dom.ts";
import { richText } from "./rich-text.ts";
import { STYLES } from "./styles.ts";
import type { Texts } from "./texts.ts";

/** Actions of the user. */
interface ChatEvents {
  readonly say: (text: string) => void;
  readonly toggle: (open: boolean) => void;
  readonly restart: () => void;
}

/** The elements of the chat on the page. It only renders, and has no logic of the session. */
export class ChatView {
  readonly #launcher = make("button", { type: "button", className: "launcher" });
  readonly #panel = make("section", { className: "panel", id: "panel" });
  readonly #title = make("h2", { id: "title" });
  readonly #log = make("div", { className: "log", tabIndex: 0 });
  readonly #input = make("input", { type: "text", autocomplete: "off", dir: "auto" });
  readonly #send = make("button", { type: "submit", className: "send" });
  readonly #busy = make("p", { className: "note", hidden: true });
  readonly #texts: Texts;
  /** The agent's line that grows while its text streams: to be seen, and to be heard once it is whole. */
  #growing: { readonly element: HTMLElement; text: string } | undefined;

  constructor(root: ShadowRoot, texts: Texts, direction: "rtl" | "ltr", events: ChatEvents) {
    this.#texts = texts;
    this.#send.textContent = texts.send;
    this.#busy.textContent = texts.responding;
    this.#panel.dir = direction;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    // Not a style element, which a strict policy of the page would refuse.
    root.adoptedStyleSheets = [sheet];
    this.#launcher.append(icon());
    this.#launcher.onclick = () => events.toggle(this.#panel.hidden === true);
    this.#launcher.setAttribute("aria-controls", "panel");
    this.#panel.setAttribute("role", "dialog");
    this.#panel.setAttribute("aria-labelledby", "title");
    this.#log.setAttribute("role", "log");
    this.#log.setAttribute("aria-label", texts.conversation);
    const restart = make("button", { type: "button", className: "plain", onclick: events.restart }, texts.newChat);
    restart.setAttribute("aria-label", texts.startAnew);
    const close = make(
      "button",
      { type: "button", className: "plain close", onclick: () => events.toggle(false) },
      "✕",
    );
    close.setAttribute("aria-label", texts.closeChat);
    const form = make("form", { onsubmit: (event) => this.#submit(event, events) });
    form.append(
      make("label", { className: "visually-hidden", htmlFor: "input" }, texts.message),
      this.#input,
      this.#send,
    );
    this.#input.id = "input";
    this.#panel.append(make("header", {}, this.#title, restart, close), this.#log, form);
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing) events.toggle(false);
      if (event.key === "Tab" && this.#coversPage) this.#keepFocus(event);
    });
    root.append(this.#panel, this.#launcher);
    this.#log.append(this.#busy);
  }

  set title(title: string) {
    this.#title.textContent = title;
  }

  set placeholder(placeholder: string) {
    this.#input.placeholder = placeholder;
  }

  set maxLength(length: number) {
    this.#input.maxLength = length;
  }

  /** Opens or closes the panel and moves the focus with it when a person did it. */
  show(open: boolean, focus: boolean): void {
    this.#panel.hidden = !open;
    this.#launcher.setAttribute("aria-expanded", String(open));
    this.#launcher.setAttribute("aria-label", open ? this.#texts.closeChat : this.#texts.openChat);
    this.#panel.ariaModal = open && this.#coversPage ? "true" : null;
    if (focus) (open ? this.#input : this.#launcher).focus();
    this.#scroll();
  }

  /** On a small screen the open chat is all that there is, without the button in the corner. */
  get #coversPage(): boolean {
    const { host } = this.#panel.getRootNode() as ShadowRoot;
    return !host.hasAttribute("inline") && getComputedStyle(this.#launcher).display === "none";
  }

  /** Nobody shall type into a page that is behind the chat. */
  #keepFocus(event: KeyboardEvent): void {
    const stops = [...this.#panel.querySelectorAll<HTMLElement>("button:enabled, input:enabled, a, [tabindex]")];
    const [first, last] = [stops[0], stops.at(-1)];
    if (this.#focused !== (event.shiftKey ? first : last)) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }

  /** What has the focus in the chat; null when it is elsewhere on the page. */
  get #focused(): Element | null {
    return (this.#panel.getRootNode() as ShadowRoot).activeElement;
  }

  /** Takes an element away, and leaves the focus of a person who was in it where the next message is written. */
  #remove(element: Element): void {
    const hadFocus = element.contains(this.#focused);
    element.remove();
    if (hadFocus) this.#input.focus();
  }

  /** An answer is on its way, or it is all there. */
  set busy(busy: boolean) {
    this.#busy.hidden = !busy;
    this.#finishLine();
    this.#scroll();
  }

  /** Disables the text field. */
  set closed(closed: boolean) {
    this.#input.disabled = closed;
  }

  /** A whole line of one side. */
  line(side: "user" | "agent", text: string): void {
    this.#finishLine();
    this.#put(this.#lineOf(side, text));
  }

  #lineOf(side: "user" | "agent", text: string): HTMLElement {
    // With a direction of its own it has no part in that of the line.
    const whose = make("span", { className: "visually-hidden", dir: this.#panel.dir }, `${this.#texts[side]} `);
    const words = side === "user" ? [text] : richText(text);
    return make("div", { className: `line ${side}`, dir: "auto" }, whose, ...words);
  }

  /** Appends to the message of the agent. Screen readers would begin it anew with each piece: they get it when it is whole. */
  grow(text: string): void {
    const before = this.#growing;
    const element = this.#lineOf("agent", (before?.text ?? "") + text);
    element.ariaHidden = "true";
    if (before) before.element.replaceWith(element);
    else this.#put(element);
    this.#growing = { element, text: (before?.text ?? "") + text };
    this.#scroll();
  }

  #finishLine(): void {
    this.#growing?.element.replaceWith(this.#lineOf("agent", this.#growing.text));
    this.#growing = undefined;
  }

  /** Cards, chips and the like. */
  rich(elements: readonly HTMLElement[]): void {
    this.#finishLine();
    this.#put(make("div", { className: "rich", dir: "auto" }, ...elements));
  }

  /** Nothing more can be said in this session; the person can begin another one. */
  end(again: () => void): void {
    const { ended, startAnew } = this.#texts;
    const button = make("button", { type: "button", className: "chip", onclick: again }, startAnew);
    this.#finishLine();
    this.#put(make("div", { className: "note" }, make("p", {}, ended), button));
    const wasWriting = this.#focused !== null && this.#focused !== this.#launcher;
    this.closed = true;
    if (wasWriting) button.focus();
  }

  /** Whether something went wrong that the person has not tried again. */
  get failed(): boolean {
    return this.#log.querySelector(".bad") !== null;
  }

  /** Something went wrong; the person can try the same again. */
  error(text: string, again: () => void): void {
    const box = make("div", { className: "bad" }, make("p", {}, text));
    box.setAttribute("role", "alert");
    const retry = () => {
      this.#remove(box);
      again();
    };
    box.append(make("button", { type: "button", className: "chip", onclick: retry }, this.#texts.tryAgain));
    this.#put(box);
  }

  clear(): void {
    this.#growing = undefined;
    this.closed = false;
    for (const element of [...this.#log.children]) if (element !== this.#busy) this.#remove(element);
  }

  #put(element: HTMLElement): HTMLElement {
    this.#busy.before(element);
    this.#scroll();
    return element;
  }

  #scroll(): void {
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #submit(event: SubmitEvent, { say }: ChatEvents): void {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (text === "") return;
    this.#input.value = "";
    say(text);
  }
}

const SVG = "http://www.w3.org/2000/svg";

function icon(): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z");
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

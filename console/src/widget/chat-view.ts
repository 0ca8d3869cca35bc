import { make, makeIcon } from "./dom.ts";
import { FileTray } from "./file-tray.ts";
import { richText } from "./rich-text.ts";
import { STYLES } from "./styles.ts";
import type { Texts } from "./texts.ts";

/** Actions of the user. */
interface ChatEvents {
  readonly say: (text: string, files: readonly File[]) => void;
  readonly toggle: (open: boolean) => void;
  readonly restart: () => void;
}

/** The elements of the chat on the page. It only renders, and has no logic of the session. */
export class ChatView {
  readonly #launcher = make("button", { type: "button", className: "launcher" });
  readonly #panel = make("section", { className: "panel", id: "panel", hidden: true });
  readonly #title = make("h2", { id: "title" });
  readonly #log = make("div", { className: "log", tabIndex: 0 });
  readonly #input = make("input", { type: "text", autocomplete: "off", dir: "auto" });
  readonly #send = make("button", { type: "submit", className: "send" });
  readonly #busy = make("p", { className: "note", hidden: true });
  readonly #texts: Texts;
  readonly #files: FileTray;
  /** What was drawn of the turn that runs. */
  #turn: HTMLElement[] = [];
  /** The agent's line that grows while its text streams: to be seen, and to be heard once it is whole. */
  #growing: { element?: HTMLElement; text: string } | undefined;
  /** The next time that it is drawn; 0 when nothing was added to it. */
  #frame = 0;

  constructor(root: ShadowRoot, texts: Texts, direction: "rtl" | "ltr", events: ChatEvents) {
    this.#texts = texts;
    this.#files = new FileTray(texts);
    this.#send.textContent = texts.send;
    this.#busy.textContent = texts.responding;
    this.#panel.dir = direction;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    // Not a style element, which a strict policy of the page would refuse.
    root.adoptedStyleSheets = [sheet];
    this.#launcher.append(makeIcon(BUBBLE));
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
      this.#files.button,
      this.#input,
      this.#send,
    );
    this.#input.id = "input";
    this.#panel.append(make("header", {}, this.#title, restart, close), this.#log, this.#files.element, form);
    this.#takeFiles();
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing) events.toggle(false);
      if (event.key === "Tab" && this.#coversPage) this.#keepFocus(event);
    });
    root.append(make("div", { className: "frame" }, this.#panel, this.#launcher));
    this.#log.append(this.#busy);
  }

  /**
   * Puts the chat of a corner above the page (the top layer), where no transform, filter or overflow of what is around it moves or cuts it. A browser without
   * popovers leaves it in its element.
   */
  rise(): void {
    const host = (this.#panel.getRootNode() as ShadowRoot).host as HTMLElement;
    if (!host.isConnected || host.hasAttribute("inline") || !("popover" in HTMLElement.prototype)) return;
    host.popover = "manual";
    if (!host.matches(":popover-open")) host.showPopover();
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

  /** Types of files that may be sent along, as an `<input>` accepts them; "" for none. */
  set accept(accept: string) {
    this.#files.accept = accept;
  }

  /** Files of the clipboard, and those that are dropped on the chat; a page that sends none leaves them to the browser. */
  #takeFiles(): void {
    const drop = (event: DragEvent) => this.#panel.classList.toggle("dropping", event.type === "dragover");
    this.#panel.addEventListener("paste", ({ clipboardData }) => this.#files.add(clipboardData?.files));
    this.#panel.addEventListener("dragover", (event) => {
      if (this.#files.button.hidden || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      drop(event);
    });
    this.#panel.addEventListener("dragleave", drop);
    this.#panel.addEventListener("drop", (event) => {
      drop(event);
      if (this.#files.add(event.dataTransfer?.files)) event.preventDefault();
    });
  }

  /** Opens or closes the panel and moves the focus with it when a person did it. */
  show(open: boolean, focus: boolean): void {
    if (this.#panel.hidden !== !open) this.#standAside(open);
    this.#panel.hidden = !open;
    this.#launcher.setAttribute("aria-expanded", String(open));
    this.#launcher.setAttribute("aria-label", open ? this.#texts.closeChat : this.#texts.openChat);
    this.#panel.ariaModal = open && this.#coversPage ? "true" : null;
    if (focus) (open ? this.#input : this.#launcher).focus();
    this.#scroll();
  }

  /** The button stays where the page has put it: the chat opens to the right of one that is on the left. */
  #standAside(open: boolean): void {
    this.#panel.hidden = true;
    const { left, right } = this.#launcher.getBoundingClientRect();
    if (open) this.#panel.classList.toggle("left", left + right < innerWidth);
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
    const isFollowed = this.#isAtEnd;
    this.#busy.hidden = !busy;
    this.#finishLine();
    if (isFollowed) this.#scroll();
  }

  /** Disables the text field. */
  set closed(closed: boolean) {
    this.#input.disabled = closed;
    this.#files.button.disabled = closed;
  }

  /** A turn begins: until the next one, what is drawn belongs to it. */
  beginTurn(): void {
    this.busy = true;
    this.connected = true;
    this.#turn = [];
  }

  /** False when the connection of the turn that runs was lost: what came of it is taken away, and comes once more. */
  set connected(connected: boolean) {
    const { responding, reconnecting } = this.#texts;
    const text = connected ? responding : reconnecting;
    // A text that is set again is read out again.
    if (this.#busy.textContent !== text) this.#busy.textContent = text;
    if (!connected) this.#dropTurn();
  }

  /** Says something in the place of an answer. */
  note(text: string): void {
    this.#turn.push(this.#put(make("p", { className: "note" }, text)));
  }

  /** Takes away what was drawn of a turn that failed, because it is answered anew. */
  #dropTurn(): void {
    this.#finishLine();
    for (const element of this.#turn) this.#remove(element);
    this.#turn = [];
  }

  /** A whole line of one side, with the names of the files that went along. */
  line(side: "user" | "agent", text: string, files: readonly string[] = []): void {
    this.#finishLine();
    const line = this.#lineOf(side, text);
    line.append(...files.map((name) => make("span", { className: "sent", dir: "auto" }, name)));
    this.#put(line);
    this.#scroll();
  }

  #lineOf(side: "user" | "agent", text: string): HTMLElement {
    // With a direction of its own it has no part in that of the line.
    const whose = make("span", { className: "visually-hidden", dir: this.#panel.dir }, `${this.#texts[side]} `);
    const words = side === "user" ? [text] : richText(text);
    return make("div", { className: `line ${side}`, dir: "auto" }, whose, ...words);
  }

  /**
   * Appends to the message of the agent. It is drawn once a frame, not with each piece: a long answer that arrives at once would keep the page for minutes. Screen
   * readers would begin it anew each time, and get it when it is whole.
   */
  grow(text: string): void {
    this.#growing ??= { text: "" };
    this.#growing.text += text;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawGrowing(true);
    });
  }

  #drawGrowing(isUnfinished: boolean): void {
    if (!this.#growing) return;
    const { element: before, text } = this.#growing;
    const element = this.#lineOf("agent", text);
    if (isUnfinished) element.ariaHidden = "true";
    if (before) this.#replace(before, element);
    else this.#turn.push(this.#put(element));
    this.#growing.element = element;
  }

  #finishLine(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#drawGrowing(false);
    this.#growing = undefined;
  }

  #replace(before: HTMLElement, element: HTMLElement): void {
    const isFollowed = this.#isAtEnd;
    before.replaceWith(element);
    const at = this.#turn.indexOf(before);
    if (at >= 0) this.#turn[at] = element;
    if (isFollowed) this.#scroll();
  }

  /** Cards, chips and the like. */
  rich(elements: readonly HTMLElement[]): void {
    this.#finishLine();
    if (elements.length > 0) this.#turn.push(this.#put(make("div", { className: "rich", dir: "auto" }, ...elements)));
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

  /** Something went wrong; the person can try the same again, or whoever calls what this returns, once. */
  error(text: string, again: () => void): () => void {
    const box = make("div", { className: "bad" }, make("p", {}, text));
    box.setAttribute("role", "alert");
    this.#finishLine();
    const turn = this.#turn;
    const retry = () => {
      if (!box.isConnected) return;
      this.#remove(box);
      if (this.#turn === turn) this.#dropTurn();
      again();
    };
    box.append(make("button", { type: "button", className: "chip", onclick: retry }, this.#texts.tryAgain));
    this.#put(box);
    return retry;
  }

  clear(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#growing = undefined;
    this.#turn = [];
    this.closed = false;
    for (const element of [...this.#log.children]) if (element !== this.#busy) this.#remove(element);
  }

  #put(element: HTMLElement): HTMLElement {
    const isFollowed = this.#isAtEnd;
    this.#busy.before(element);
    if (isFollowed) this.#scroll();
    return element;
  }

  /** Whether the person reads along: somebody who has scrolled back stays there. */
  get #isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#log;
    return scrollHeight - scrollTop - clientHeight < 40;
  }

  #scroll(): void {
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #submit(event: SubmitEvent, { say }: ChatEvents): void {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (text === "" && !this.#files.any) return;
    this.#input.value = "";
    say(text, this.#files.take());
  }
}

const BUBBLE = "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z";

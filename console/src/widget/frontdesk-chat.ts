import { ChatView } from "./chat-view.ts";
import { type CardOutput, drawOutput } from "./draw-output.ts";
import { inputOf, USUAL_FILES } from "./files.ts";
import type { JsonObject, RichActions } from "./rich-content.ts";
import { type Output, SessionClient, widgetSettings } from "./session-client.ts";
import {
  newSession,
  readSession,
  type StoredLine,
  type StoredSession,
  storageKey,
  storeSession,
} from "./stored-session.ts";
import { directionOf, type Texts, textsFor } from "./texts.ts";
import { isAwaited, newTurn, type TurnInput } from "./turn-input.ts";
import { errorMessage, toResponse } from "./turn-results.ts";

/** Answers a client function of the app: its arguments in, its result out. */
type ClientTool = (args: JsonObject) => unknown;

/** Where this script came from is where the server is. Known only while the script runs for the first time. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

/**
 * `<frontdesk-chat deployment="projects/…/deployments/…">`: a chat with one deployment, in a shadow root. docs/widget.md
 * lists its attributes, properties and events.
 */
export class FrontdeskChat extends HTMLElement {
  /** Client functions by their display name. */
  tools: Readonly<Record<string, ClientTool>> = {};
  /** Variables of the session, sent until a turn with them has ended well. */
  variables: JsonObject = {};
  /** Words of the widget in place of those of its language; set them before the element is on the page. */
  texts: Partial<Texts> = {};

  #view: ChatView | undefined;
  #session: StoredSession = newSession();
  #client: SessionClient | undefined;
  /** Ends the work of this session. */
  #aborter = new AbortController();
  /** Where the session is stored in this tab. */
  #key = "";
  /** The element was taken off the page. */
  #isAway = false;
  /** Turns that come after the one that runs. */
  readonly #waiting: TurnInput[] = [];
  #working = false;
  /** Somebody was greeted, or has said something. */
  #begun = false;
  /** Tools of the calls that the page was told of and has not answered, by the id of the call. */
  readonly #unanswered = new Map<string, string>();

  static readonly observedAttributes = ["deployment", "server", "language-code"];

  connectedCallback(): void {
    if (!this.#view) this.#open(this.#language);
    else if (this.#isAway) this.#resume();
    this.#view?.rise();
  }

  /** Frameworks set attributes late, and change them: another deployment is another session, another language has other words. */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.#view || before === now) return;
    if (name !== "language-code") this.#session = { ...newSession(), open: this.#session.open };
    this.#stop();
    this.#open(this.#language);
    this.#view.rise();
  }

  #open(language: string): void {
    const texts = textsFor(language, this.texts);
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.replaceChildren();
    this.#view = new ChatView(root, texts, directionOf(language), {
      say: (text, files) => this.#say(text, files),
      toggle: (open) => this.#toggle(open, true),
      restart: () => this.restart(),
    });
    this.#view.title = this.getAttribute("chat-title") ?? texts.title;
    this.#view.placeholder = this.getAttribute("placeholder-text") ?? texts.placeholder;
    this.#view.maxLength = Number(this.getAttribute("max-query-length")) || 4_000;
    if (this.hasAttribute("enable-file-upload")) this.#view.accept = this.getAttribute("file-types") || USUAL_FILES;
    this.#resume();
    this.#toggle(this.hasAttribute("inline") || this.hasAttribute("open") || this.#session.open, false);
    if (!this.hasAttribute("chat-title") || !this.hasAttribute("theme")) void this.#readSettings();
  }

  /** Goes on where this tab was, e.g. on another page of the site while this element was away. */
  #resume(): void {
    this.#isAway = false;
    window.addEventListener("pageshow", this.#onPageShow);
    this.#stop();
    this.#key = storageKey(this.#deployment, this);
    this.#begin(readSession(this.#key) ?? this.#session);
    const { lines, begun, ended } = this.#session;
    this.#view?.clear();
    for (const line of lines) this.#drawLine(line);
    this.#begun = begun || lines.length > 0;
    if (ended) this.#view?.end(() => this.restart());
    this.#offerUnanswered();
  }

  /** A page that the browser kept while others of the site were open is behind them. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.#resume();
  };

  #drawLine(line: StoredLine): void {
    if ("card" in line) this.#view?.rich(drawOutput(line.card, this.#actions));
    else this.#view?.line(line.side, line.text, line.files);
  }

  /** An element that is moved is out of the page for a moment only, and its turn goes on. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#isAway = true;
      window.removeEventListener("pageshow", this.#onPageShow);
      this.#stop();
    });
  }

  /** Says a text in the person's place, after what is said already. A session that has ended is followed by a new one. */
  say(text: string): void {
    this.#say(text, []);
  }

  #say(text: string, files: readonly File[]): void {
    if (this.#session.ended) this.#startAnew();
    this.#begun = true;
    const names = files.map(({ name }) => name);
    this.#view?.line("user", text, names);
    this.#store({ side: "user", text, ...(names.length > 0 && { files: names }) });
    // Files are not kept by the tab, so they cannot be offered again.
    const turn = newTurn(text === "" ? {} : { text }, files);
    if (files.length === 0) this.#keep({ unanswered: [...this.#session.unanswered, { text, key: turn.key }] });
    this.#send(turn);
  }

  /**
   * Answers the call of a client function that a `frontdesk-tool-call` event told, however late: after what was said in between, too. False when this session
   * waits for no such answer, because it has it already or has ended.
   */
  answer(id: string, result: unknown): boolean {
    const tool = this.#unanswered.get(id);
    if (tool === undefined || this.#session.ended) return false;
    this.#unanswered.delete(id);
    const toolResponses = [{ id, tool, response: toResponse(result) }];
    this.#send(newTurn({ toolResponses: { toolResponses } }));
    return true;
  }

  open(): void {
    this.#toggle(true, true);
  }

  close(): void {
    this.#toggle(false, true);
  }

  /** Begins a new session; the old one stays with the server. */
  restart(): void {
    this.#startAnew();
    this.#welcome();
  }

  #startAnew(): void {
    this.#stop();
    this.#begin({ ...newSession(), open: this.#session.open });
    this.#begun = false;
    this.#view?.clear();
  }

  /** Ends what runs and what waits. */
  #stop(): void {
    this.#aborter.abort();
    this.#aborter = new AbortController();
    this.#waiting.length = 0;
    this.#unanswered.clear();
    this.#working = false;
    if (this.#view) this.#view.busy = false;
  }

  get #deployment(): string {
    return this.getAttribute("deployment") ?? "";
  }

  /** The language of the session, else that of the page around the element: the widget's own words are in it. */
  get #language(): string {
    return this.getAttribute("language-code") || (this.closest<HTMLElement>("[lang]")?.lang ?? "");
  }

  get #server(): string {
    return this.getAttribute("server") || new URL(SCRIPT || location.href).origin;
  }

  #begin(session: StoredSession): void {
    this.#session = session;
    const deployment = this.#deployment;
    this.#client = new SessionClient({
      server: this.#server,
      deployment,
      session: `${deployment.replace(/\/deployments\/.*$/, "")}/sessions/${session.id}`,
      languageCode: this.getAttribute("language-code") ?? "",
    });
  }

  async #readSettings(): Promise<void> {
    const { title, theme } = await widgetSettings(this.#server, this.#deployment);
    if (title && !this.hasAttribute("chat-title") && this.#view) this.#view.title = title;
    if (theme && !this.hasAttribute("theme")) this.setAttribute("theme", theme);
  }

  #toggle(open: boolean, byPerson: boolean): void {
    const shown = open || this.hasAttribute("inline");
    this.toggleAttribute("open", shown);
    this.#session = { ...this.#session, open: shown };
    if (byPerson) storeSession(this.#key, this.#session);
    this.#view?.show(shown, byPerson);
    if (shown) this.#welcome();
    if (byPerson) this.#emit("frontdesk-open", { open: shown });
  }

  /** The first opening greets, unless the page does not want it. */
  #welcome(): void {
    if (this.#begun || !this.hasAttribute("open") || this.#deployment === "") return;
    this.#begun = true;
    if (this.getAttribute("welcome-event") !== "") {
      this.#send(newTurn({ event: { event: this.getAttribute("welcome-event") ?? "welcome" } }));
    }
  }

  /** What the person said before the page was left and has no answer yet. */
  #offerUnanswered(): void {
    const { unanswered } = this.#session;
    if (unanswered.length === 0 || this.#working || this.#view?.failed) return;
    this.#view?.error(textsFor(this.#language, this.texts).interrupted, () => {
      for (const { text, key } of unanswered) this.#send({ key, input: { text }, files: [] });
    });
  }

  /** Turns run one after the other: one that is interrupted would be lost. */
  #send(turn: TurnInput): void {
    this.#waiting.push(turn);
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    const [view, client, { signal }] = [this.#view, this.#client, this.#aborter];
    if (!view || !client) return;
    this.#working = true;
    view.busy = true;
    for (let turn = this.#waiting.shift(); turn && !signal.aborted; turn = this.#waiting.shift()) {
      const isDone = await this.#run(turn, view, client, signal);
      if (!isDone) break;
    }
    if (signal.aborted) return;
    this.#working = false;
    view.busy = false;
  }

  /** Runs one turn, and those that answer its client functions. False when it failed, which the person has been told. */
  async #run(turn: TurnInput, view: ChatView, client: SessionClient, signal: AbortSignal): Promise<boolean> {
    const [lines, answers]: [StoredLine[], JsonObject[]] = [[], []];
    view.beginTurn();
    try {
      let isSilent = true;
      for await (const output of client.run({ key: turn.key, inputs: await this.#inputsOf(turn) }, signal)) {
        // A turn whose connection is lost begins anew.
        view.connected = output.kind !== "lost";
        if (output.kind === "lost") lines.length = answers.length = 0;
        else isSilent = false;
        const answer = await this.#handleOutput(output, view, lines);
        if (answer) answers.push(answer);
      }
      if (signal.aborted) return false;
      this.#keep({ begun: true, unanswered: this.#session.unanswered.filter(({ key }) => key !== turn.key) });
      this.#store(...lines);
      if (isSilent && isAwaited(turn)) view.note(textsFor(this.#language, this.texts).noAnswer);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, turn, view);
      return false;
    }
    if (answers.length === 0) return true;
    return this.#run(newTurn({ toolResponses: { toolResponses: answers } }), view, client, signal);
  }

  #fail(error: unknown, turn: TurnInput, view: ChatView): void {
    if ((error as { readonly reason?: string }).reason === "SESSION_ENDED") {
      // Ended elsewhere, e.g. in another tab: the same will not be answered however often it is tried.
      this.#end({}, view);
      return;
    }
    const again = () => {
      this.#waiting.unshift(turn);
      if (!this.#working) void this.#work();
    };
    const retry = view.error(errorMessage(error, textsFor(this.#language, this.texts)), again);
    if (!navigator.onLine) window.addEventListener("online", retry, { once: true, signal: this.#aborter.signal });
    this.#emit("frontdesk-error", { message: (error as Error).message });
  }

  #end(metadata: JsonObject, view: ChatView): void {
    this.#waiting.length = 0;
    this.#keep({ ended: true, unanswered: [] });
    view.end(() => this.restart());
    this.#emit("frontdesk-end", { metadata });
  }

  /** Draws one output, and adds it to what the tab stores. Answers a client function with what the page's function returns, and nothing else. */
  async #handleOutput(output: Output, view: ChatView, lines: StoredLine[]): Promise<JsonObject | undefined> {
    switch (output.kind) {
      case "text": {
        view.grow(output.text);
        const last = lines.at(-1);
        if (last && "text" in last) lines[lines.length - 1] = { side: "agent", text: last.text + output.text };
        else lines.push({ side: "agent", text: output.text });
        return undefined;
      }
      case "lost":
        return undefined;
      case "end":
        this.#end(output.metadata, view);
        return undefined;
      case "tool-call":
        return this.#callTool(output, () => this.#card(output, view, lines));
      case "payload":
        if (this.#emit("frontdesk-payload", output.payload)) this.#card(output, view, lines);
        return undefined;
      default:
        this.#card(output, view, lines);
        return undefined;
    }
  }

  #card(card: CardOutput, view: ChatView, lines: StoredLine[]): void {
    view.rich(drawOutput(card, this.#actions));
    lines.push({ card });
  }

  get #actions(): RichActions {
    return {
      choose: textsFor(this.#language, this.texts).choose,
      say: (text) => this.#choose(text),
      event: (name) => this.#send(newTurn({ event: { event: name } })),
    };
  }

  async #callTool(
    { id, tool, name, args }: Extract<Output, { kind: "tool-call" }>,
    draw: () => void,
  ): Promise<JsonObject | undefined> {
    const run = this.tools[name];
    if (!run) {
      this.#unanswered.set(id, tool);
      if (this.#emit("frontdesk-tool-call", { id, name, args })) draw();
      return undefined;
    }
    const result = await Promise.resolve()
      .then(() => run(args))
      .catch((error: unknown) => ({ error: String(error) }));
    return { id, tool, response: toResponse(result) };
  }

  /** A chip that is pressed twice is meant once. */
  #choose(text: string): void {
    const last = this.#session.lines.at(-1);
    if (this.#working && last && "text" in last && last.side === "user" && last.text === text) return;
    this.say(text);
  }

  /** The inputs of a turn, behind the variables of the page until the server has them. */
  async #inputsOf({ input, files }: TurnInput): Promise<readonly JsonObject[]> {
    const first = !this.#session.begun && Object.keys(this.variables).length > 0;
    const words = Object.keys(input).length > 0 ? [input] : [];
    return [...(first ? [{ variables: this.variables }] : []), ...words, ...(await Promise.all(files.map(inputOf)))];
  }

  #keep(changes: Partial<StoredSession>): void {
    this.#session = { ...this.#session, ...changes };
    storeSession(this.#key, this.#session);
  }

  /** Keeps what was said and shown, and tells the page the words of it. */
  #store(...lines: readonly StoredLine[]): void {
    this.#keep({ lines: [...this.#session.lines, ...lines] });
    const said = lines.flatMap((line) => ("text" in line && line.text !== "" ? [line] : []));
    const side = said[0]?.side;
    if (side) this.#emit("frontdesk-message", { side, text: said.map(({ text }) => text).join("") });
  }

  /** Tells the page; false when the page took it over with `preventDefault`. */
  #emit(name: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

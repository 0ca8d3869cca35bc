import { ChatView } from "./chat-view.ts";
import { make, makeInlineImage, makeLink } from "./dom.ts";
import { type JsonObject, richContent, widgetContent } from "./rich-content.ts";
import { type Output, SessionClient, widgetSettings } from "./session-client.ts";
import { newSession, readSession, type StoredSession, storeSession } from "./stored-session.ts";
import { directionOf, type Texts, textsFor } from "./texts.ts";

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
  /** Inputs of turns that come after the one that runs. */
  readonly #waiting: JsonObject[] = [];
  #working = false;
  /** Somebody was greeted, or has said something. */
  #begun = false;
  /** Tools of the calls that the page was told of and has not answered, by the id of the call. */
  readonly #unanswered = new Map<string, string>();

  connectedCallback(): void {
    if (this.#view) this.#offerUnanswered();
    else this.#open(this.#language);
  }

  #open(language: string): void {
    const texts = textsFor(language, this.texts);
    this.#view = new ChatView(this.attachShadow({ mode: "open" }), texts, directionOf(language), {
      say: (text) => this.say(text),
      toggle: (open) => this.#toggle(open, true),
      restart: () => this.restart(),
    });
    this.#view.title = this.getAttribute("chat-title") ?? texts.title;
    this.#view.placeholder = this.getAttribute("placeholder-text") ?? texts.placeholder;
    this.#view.maxLength = Number(this.getAttribute("max-query-length")) || 4_000;
    this.#begin(readSession(this.#deployment));
    for (const { side, text } of this.#session.lines) this.#view.line(side, text);
    this.#begun = this.#session.begun || this.#session.lines.length > 0;
    if (this.#session.ended) this.#view.end(() => this.restart());
    this.#offerUnanswered();
    this.#toggle(this.hasAttribute("inline") || this.hasAttribute("open") || this.#session.open, false);
    if (!this.hasAttribute("chat-title") || !this.hasAttribute("theme")) void this.#readSettings();
  }

  /** An element that is moved is out of the page for a moment only, and its turn goes on. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) this.#stop();
    });
  }

  /** Says a text in the person's place, after what is said already. A session that has ended is followed by a new one. */
  say(text: string): void {
    if (this.#session.ended) this.#startAnew();
    this.#begun = true;
    this.#view?.line("user", text);
    this.#store("user", text);
    this.#keep({ unanswered: [...this.#session.unanswered, text] });
    this.#send({ text });
  }

  /**
   * Answers the call of a client function that a `frontdesk-tool-call` event told, however late: after what was said in between, too. False when this session
   * waits for no such answer, because it has it already or has ended.
   */
  answer(id: string, result: unknown): boolean {
    const tool = this.#unanswered.get(id);
    if (tool === undefined || this.#session.ended) return false;
    this.#unanswered.delete(id);
    this.#send({ toolResponses: { toolResponses: [{ id, tool, response: toResponse(result) }] } });
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
    const given = this.getAttribute("server") ?? SCRIPT;
    return new URL(given || location.href, location.href).origin;
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
    if (byPerson) storeSession(this.#deployment, this.#session);
    this.#view?.show(shown, byPerson);
    if (shown) this.#welcome();
    if (byPerson) this.#emit("frontdesk-open", { open: shown });
  }

  /** The first opening greets, unless the page does not want it. */
  #welcome(): void {
    if (this.#begun || !this.hasAttribute("open")) return;
    this.#begun = true;
    if (this.getAttribute("welcome-event") !== "") {
      this.#send({ event: { event: this.getAttribute("welcome-event") ?? "welcome" } });
    }
  }

  /** What the person said before the page was left and has no answer yet. */
  #offerUnanswered(): void {
    const { unanswered } = this.#session;
    if (unanswered.length === 0 || this.#working || this.#view?.failed) return;
    this.#view?.error(textsFor(this.#language, this.texts).interrupted, () => {
      for (const text of unanswered) this.#send({ text });
    });
  }

  /** Turns run one after the other: one that is interrupted would be lost. */
  #send(input: JsonObject): void {
    this.#waiting.push(input);
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    const [view, client, { signal }] = [this.#view, this.#client, this.#aborter];
    if (!view || !client) return;
    this.#working = true;
    view.busy = true;
    for (let input = this.#waiting.shift(); input && !signal.aborted; input = this.#waiting.shift()) {
      const isDone = await this.#run(input, view, client, signal);
      if (!isDone) break;
    }
    if (signal.aborted) return;
    this.#working = false;
    view.busy = false;
  }

  /** Runs one turn, and those that answer its client functions. False when it failed, which the person has been told. */
  async #run(input: JsonObject, view: ChatView, client: SessionClient, signal: AbortSignal): Promise<boolean> {
    view.busy = true;
    let agentText = "";
    const answers: JsonObject[] = [];
    try {
      for await (const output of client.run(this.#inputsOf(input), signal)) {
        if (output.kind === "text") agentText += output.text;
        const answer = await this.#handleOutput(output, view);
        if (answer) answers.push(answer);
      }
      if (signal.aborted) return false;
      this.#keep({ begun: true, unanswered: without(this.#session.unanswered, input.text) });
      if (agentText) this.#store("agent", agentText);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, input, view);
      return false;
    }
    return answers.length === 0 || this.#run({ toolResponses: { toolResponses: answers } }, view, client, signal);
  }

  #fail(error: unknown, input: JsonObject, view: ChatView): void {
    if ((error as { readonly reason?: string }).reason === "SESSION_ENDED") {
      // Ended elsewhere, e.g. in another tab: the same will not be answered however often it is tried.
      this.#end({}, view);
      return;
    }
    const again = () => {
      this.#waiting.unshift(input);
      if (!this.#working) void this.#work();
    };
    view.error(errorMessage(error, this.#deployment, textsFor(this.#language, this.texts)), again);
    this.#emit("frontdesk-error", { message: (error as Error).message });
  }

  #end(metadata: JsonObject, view: ChatView): void {
    this.#waiting.length = 0;
    this.#keep({ ended: true, unanswered: [] });
    view.end(() => this.restart());
    this.#emit("frontdesk-end", { metadata });
  }

  /** Draws one output. Answers a client function with what the page's function returns, and nothing else. */
  async #handleOutput(output: Output, view: ChatView): Promise<JsonObject | undefined> {
    const actions = {
      choose: textsFor(this.#language, this.texts).choose,
      say: (text: string) => this.#choose(text),
      event: (name: string) => this.#send({ event: { event: name } }),
    };
    switch (output.kind) {
      case "text":
        view.grow(output.text);
        return undefined;
      case "payload":
        if (this.#emit("frontdesk-payload", output.payload)) view.rich(richContent(output.payload, actions));
        return undefined;
      case "image": {
        const image = makeInlineImage(output.mimeType, output.data);
        if (image) view.rich([image]);
        return undefined;
      }
      case "citations":
        view.rich([
          make(
            "ul",
            { className: "sources" },
            ...output.sources.map(({ title, uri }) => make("li", {}, makeLink(uri, title))),
          ),
        ]);
        return undefined;
      case "end":
        this.#end(output.metadata, view);
        return undefined;
      case "tool-call":
        return this.#callTool(output, view, actions);
    }
  }

  async #callTool(
    { id, tool, name, args }: Extract<Output, { kind: "tool-call" }>,
    view: ChatView,
    actions: Parameters<typeof widgetContent>[1],
  ): Promise<JsonObject | undefined> {
    const run = this.tools[name];
    if (!run) {
      this.#unanswered.set(id, tool);
      if (this.#emit("frontdesk-tool-call", { id, name, args })) view.rich(widgetContent(args, actions));
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
    if (this.#working && last?.side === "user" && last.text === text) return;
    this.say(text);
  }

  /** Sends the variables of the page before the inputs, until the server has them. */
  #inputsOf(input: JsonObject): readonly JsonObject[] {
    const first = !this.#session.begun && Object.keys(this.variables).length > 0;
    return first ? [{ variables: this.variables }, input] : [input];
  }

  #keep(changes: Partial<StoredSession>): void {
    this.#session = { ...this.#session, ...changes };
    storeSession(this.#deployment, this.#session);
  }

  #store(side: "user" | "agent", text: string): void {
    this.#keep({ lines: [...this.#session.lines, { side, text }] });
    this.#emit("frontdesk-message", { side, text });
  }

  /** Tells the page; false when the page took it over with `preventDefault`. */
  #emit(name: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** The texts without the first one that is this. */
function without(texts: readonly string[], said: JsonObject[string] | undefined): readonly string[] {
  const at = typeof said === "string" ? texts.indexOf(said) : -1;
  return at < 0 ? texts : texts.toSpliced(at, 1);
}

/** What a function of the page came to, as the response of the call. */
function toResponse(result: unknown): JsonObject {
  const isRecord = typeof result === "object" && result !== null && !Array.isArray(result);
  return (isRecord ? result : { result: result ?? null }) as JsonObject;
}

/** What the end user reads. The page gets the server's message with `frontdesk-error`, because it may name settings. */
function errorMessage(error: unknown, deployment: string, texts: Texts): string {
  const { status, message } = error as { readonly status?: string; readonly message: string };
  if (deployment === "") console.error("frontdesk-chat: set the deployment attribute of the element.");
  // Which page may not; how to allow it is for its developer.
  if (status === "PERMISSION_DENIED") return `${message.split(". ")[0]?.replace(/\.$/, "")}.`;
  if (status === "INVALID_ARGUMENT") return texts.rejected;
  return texts.unavailable;
}

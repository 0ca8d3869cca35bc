import { ChatView } from "./chat-view.ts";
import { make, makeInlineImage, makeLink } from "./dom.ts";
import { type JsonObject, richContent, widgetContent } from "./rich-content.ts";
import { type Output, SessionClient, widgetSettings } from "./session-client.ts";
import { newSession, readSession, type StoredSession, storeSession } from "./stored-session.ts";

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
  /** Variables of the session, sent with the first input. */
  variables: JsonObject = {};

  #view: ChatView | undefined;
  #session: StoredSession = newSession();
  #client: SessionClient | undefined;
  #aborter: AbortController | undefined;
  #begun = false;
  #variablesSent = false;

  connectedCallback(): void {
    if (this.#view) return;
    this.#view = new ChatView(this.attachShadow({ mode: "open" }), {
      say: (text) => this.say(text),
      toggle: (open) => this.#toggle(open, true),
      restart: () => this.restart(),
    });
    this.#view.title = this.getAttribute("chat-title") ?? "Chat";
    this.#view.placeholder = this.getAttribute("placeholder-text") ?? "Write a message";
    this.#view.maxLength = Number(this.getAttribute("max-query-length")) || 4_000;
    this.#begin(readSession(this.#deployment));
    for (const { side, text } of this.#session.lines) this.#view.line(side, text);
    this.#begun = this.#session.lines.length > 0;
    this.#variablesSent = this.#begun;
    this.#toggle(this.hasAttribute("inline") || this.hasAttribute("open") || this.#session.open, false);
    if (!this.hasAttribute("chat-title") || !this.hasAttribute("theme")) void this.#readSettings();
  }

  disconnectedCallback(): void {
    this.#aborter?.abort();
  }

  /** Says a text in the person's place. */
  say(text: string): void {
    this.#view?.line("user", text);
    this.#store("user", text);
    void this.#run({ text });
  }

  open(): void {
    this.#toggle(true, true);
  }

  close(): void {
    this.#toggle(false, true);
  }

  /** Begins a new session; the old one stays with the server. */
  restart(): void {
    this.#aborter?.abort();
    this.#begin({ ...newSession(), open: this.#session.open });
    this.#begun = false;
    this.#variablesSent = false;
    this.#view?.clear();
    if (this.#view) this.#view.closed = false;
    this.#welcome();
  }

  get #deployment(): string {
    return this.getAttribute("deployment") ?? "";
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
      void this.#run({ event: { event: this.getAttribute("welcome-event") ?? "welcome" } });
    }
  }

  async #run(input: JsonObject): Promise<void> {
    const [view, client] = [this.#view, this.#client];
    if (!view || !client) return;
    this.#aborter?.abort();
    this.#aborter = new AbortController();
    const { signal } = this.#aborter;
    view.busy = true;
    let agentText = "";
    const answers: JsonObject[] = [];
    try {
      for await (const output of client.run(this.#inputsOf(input), signal)) {
        if (output.kind === "text") agentText += output.text;
        const answer = await this.#handleOutput(output, view);
        if (answer) answers.push(answer);
      }
      this.#begun = true;
      if (agentText) this.#store("agent", agentText);
    } catch (error) {
      if (signal.aborted) return;
      view.error(errorMessage(error, this.#deployment), () => void this.#run(input));
      this.#emit("frontdesk-error", { message: (error as Error).message });
    } finally {
      if (!signal.aborted) view.busy = false;
    }
    if (answers.length > 0 && !signal.aborted) await this.#run({ toolResponses: { toolResponses: answers } });
  }

  /** Draws one output. Answers a client function with what the page's function returns, and nothing else. */
  async #handleOutput(output: Output, view: ChatView): Promise<JsonObject | undefined> {
    const actions = {
      say: (text: string) => this.say(text),
      event: (name: string) => void this.#run({ event: { event: name } }),
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
        view.note("The conversation has ended.");
        view.closed = true;
        this.#emit("frontdesk-end", {});
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
      if (this.#emit("frontdesk-tool-call", { id, name, args })) view.rich(widgetContent(args, actions));
      return undefined;
    }
    const result = await Promise.resolve()
      .then(() => run(args))
      .catch((error: unknown) => ({ error: String(error) }));
    const response = (
      typeof result === "object" && result !== null ? result : { result: result ?? null }
    ) as JsonObject;
    return { id, tool, response };
  }

  /** Sends the variables of the page before the first input. */
  #inputsOf(input: JsonObject): readonly JsonObject[] {
    const first = !this.#variablesSent && Object.keys(this.variables).length > 0;
    this.#variablesSent = true;
    return first ? [{ variables: this.variables }, input] : [input];
  }

  #store(side: "user" | "agent", text: string): void {
    this.#session = { ...this.#session, lines: [...this.#session.lines, { side, text }] };
    storeSession(this.#deployment, this.#session);
    this.#emit("frontdesk-message", { side, text });
  }

  /** Tells the page; false when the page took it over with `preventDefault`. */
  #emit(name: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** What the end user reads. The page gets the server's message with `frontdesk-error`, because it may name settings. */
function errorMessage(error: unknown, deployment: string): string {
  const { status, message } = error as { readonly status?: string; readonly message: string };
  if (deployment === "") console.error("frontdesk-chat: set the deployment attribute of the element.");
  // Which page may not; how to allow it is for its developer.
  if (status === "PERMISSION_DENIED") return `${message.split(". ")[0]?.replace(/\.$/, "")}.`;
  if (status === "INVALID_ARGUMENT") return "This message could not be sent.";
  return "The chat is unavailable at the moment. Your message is kept.";
}

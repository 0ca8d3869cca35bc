import { make, makeIcon } from "./dom.ts";
import { problemOf } from "./files.ts";
import type { Texts } from "./texts.ts";

const PAPERCLIP =
  "M16.5 6.5v9.75a4.5 4.5 0 0 1-9 0V5.5a3 3 0 0 1 6 0v9.75a1.5 1.5 0 0 1-3 0V6.5H9v8.75a3 3 0 0 0 6 0V5.5a4.5 4.5 0 0 0-9 0v10.75a6 6 0 0 0 12 0V6.5Z";

/** The files that go along with the next message: chosen, dropped or pasted. Without `accept` there are none. */
export class FileTray {
  /** What opens the dialog; hidden where the page lets nobody send files. */
  readonly button: HTMLButtonElement;
  readonly element = make("div", { className: "tray", hidden: true });
  /** Only its dialog is used: it is nowhere on the page. */
  readonly #picker = make("input", { type: "file", multiple: true });
  readonly #texts: Texts;
  #accept = "";
  #chosen: readonly File[] = [];

  constructor(texts: Texts) {
    this.#texts = texts;
    const open = () => this.#picker.click();
    this.button = make("button", { type: "button", className: "plain attach", hidden: true, onclick: open });
    this.button.setAttribute("aria-label", texts.attach);
    this.button.append(makeIcon(PAPERCLIP));
    this.#picker.onchange = () => {
      this.add(this.#picker.files);
      this.#picker.value = "";
    };
  }

  /** The types that may be sent; "" for none. */
  set accept(accept: string) {
    this.#accept = accept;
    this.#picker.accept = accept;
    this.button.hidden = accept === "";
  }

  /** Takes files of a dialog, the clipboard or a drop, and says of each that it does not take why. False when there are none. */
  add(files: FileList | null | undefined): boolean {
    if (!files || files.length === 0 || this.#accept === "") return false;
    const problems: string[] = [];
    for (const file of files) {
      const problem = problemOf(file, this.#chosen, this.#accept);
      if (problem) problems.push(`${file.name}: ${this.#texts[problem]}`);
      else this.#chosen = [...this.#chosen, file];
    }
    this.#draw(problems);
    return true;
  }

  get any(): boolean {
    return this.#chosen.length > 0;
  }

  /** The files, which are no longer here afterwards. */
  take(): readonly File[] {
    const taken = this.#chosen;
    this.#chosen = [];
    this.#draw([]);
    return taken;
  }

  #draw(problems: readonly string[]): void {
    const notes = problems.map((problem) => make("p", { role: "alert" }, problem));
    this.element.replaceChildren(...this.#chosen.map((file) => this.#fileOf(file)), ...notes);
    this.element.hidden = this.element.childElementCount === 0;
  }

  #fileOf(file: File): HTMLElement {
    const remove = make("button", { type: "button", className: "plain" }, "✕");
    remove.setAttribute("aria-label", `${this.#texts.removeFile} ${file.name}`);
    remove.onclick = () => {
      this.#chosen = this.#chosen.filter((other) => other !== file);
      this.#draw([]);
      this.button.focus();
    };
    return make("div", { className: "file" }, make("span", { dir: "auto", title: file.name }, file.name), remove);
  }
}

/** Styles of the chat. A page changes them with the custom properties that begin with `--frontdesk-`. */
export const STYLES = `
:host {
  color-scheme: light dark;
  --accent: var(--frontdesk-accent, light-dark(#1f6f5c, #5cc4a7));
  --on-accent: var(--frontdesk-on-accent, light-dark(#fff, #0d1c17));
  --ground: var(--frontdesk-ground, light-dark(#fff, #1c1f22));
  --ink: var(--frontdesk-ink, light-dark(#1d2321, #e9ebe8));
  --muted: light-dark(#5a6661, #a0aaa5);
  --line: light-dark(#d5d1c8, #3a4046);
  --soft: light-dark(#e9f2ef, #1f3730);
  --bad: light-dark(#b3261e, #ff8f82);
  position: fixed !important;
  inset: auto 20px 20px auto;
  z-index: 2147483000;
}
/* Neither the browser's looks of a popover nor the page's. */
:host(:popover-open) {
  width: auto !important; height: auto !important; max-width: none; max-height: none; margin: 0 !important; padding: 0 !important;
  overflow: visible !important; border: none !important; background: none !important;
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([inline]) { position: relative !important; inset: auto; display: block; width: 100%; height: clamp(510px, 34rem, 100dvh); z-index: auto; }
/* Nothing of the page's text reaches the chat. What the person has set in the browser does: the font size of the frame, whatever the page's rem is. */
.frame, .panel, .launcher { all: initial; color-scheme: inherit; visibility: inherit; }
.frame { display: contents; }
.panel, .launcher {
  font: max(15px, 0.9375em)/1.5 var(--frontdesk-font, system-ui, "Segoe UI", "Helvetica Neue", sans-serif);
  color: var(--ink);
}
*, .panel, .launcher { box-sizing: border-box; }
[hidden] { display: none !important; }
:where(button, input) { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.launcher {
  display: grid; place-items: center; width: 3.7em; height: 3.7em; margin-left: auto;
  border: none; border-radius: 50%; background: var(--accent); color: var(--on-accent);
  box-shadow: 0 6px 20px rgb(0 0 0 / 28%);
}
:host([inline]) .launcher { display: none; }
.panel.left + .launcher { margin: 0 auto 0 0; }
.launcher svg { width: 1.6em; height: 1.6em; }
.panel {
  display: flex; flex-direction: column; width: min(25em, calc(100vw - 40px)); height: min(38em, calc(100dvh - 7.5em)); margin-bottom: 0.95em;
  overflow: hidden; border: 1px solid var(--line); border-radius: 0.9em; background: var(--ground);
  box-shadow: 0 12px 40px rgb(0 0 0 / 22%);
}
:host([inline]) .panel { width: 100%; height: 100%; margin: 0; box-shadow: none; }
header { display: flex; align-items: center; gap: 0.4em; padding: 0.7em 0.7em 0.7em 1em; border-bottom: 1px solid var(--line); }
h2 { flex: 1; margin: 0; font-size: 1.02em; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.plain { min-width: 2.25em; height: 2.25em; padding: 0 0.5em; border: none; border-radius: 0.5em; background: none; }
.plain:hover { background: var(--soft); }
:host([inline]) .close { display: none; }
.log { flex: 1; display: flex; flex-direction: column; gap: 0.7em; padding: 1em; overflow-y: auto; overscroll-behavior: contain; overflow-wrap: anywhere; }
.line { max-width: 88%; padding: 0.5em 0.85em; border-radius: 1em; }
.line p, .line ul, .line ol { margin: 0 0 0.5em; }
.line > :last-child { margin-bottom: 0; }
.line ul, .line ol { padding-inline-start: 1.2em; }
.line li > ul, .line li > ol { margin: 0; }
pre, blockquote { margin: 0 0 0.5em; }
pre { padding: 0.5em 0.7em; border: 1px solid var(--line); border-radius: 0.5em; background: var(--ground); white-space: pre-wrap; direction: ltr; text-align: left; }
code { font-family: ui-monospace, monospace; font-size: 0.92em; }
blockquote { padding-inline-start: 0.7em; border-inline-start: 3px solid var(--accent); }
table { margin: 0 0 0.5em; border-collapse: collapse; font-size: 0.92em; }
th, td { padding: 0.2em 0.55em; border: 1px solid var(--line); text-align: start; vertical-align: top; }
.line.agent { align-self: flex-start; background: var(--soft); border-end-start-radius: 0.25em; }
.line.user { align-self: flex-end; background: var(--accent); color: var(--on-accent); border-end-end-radius: 0.25em; white-space: pre-wrap; }
a { color: var(--accent); }
.rich { display: flex; flex-direction: column; gap: 0.6em; }
.card { display: flex; flex-direction: column; gap: 0.35em; padding: 0.8em; border: 1px solid var(--line); border-radius: 0.7em; }
.card p { margin: 0; }
.title { margin: 0; font-weight: 600; }
.cards { display: flex; gap: 0.6em; overflow-x: auto; }
summary { font-weight: 600; cursor: pointer; }
.cards .card { flex: 0 0 11em; }
img { max-width: 100%; border-radius: 0.5em; }
hr { width: 100%; border: none; border-top: 1px solid var(--line); }
.chips { display: flex; flex-wrap: wrap; gap: 0.45em; }
.chip, .chips a { padding: 0.3em 0.8em; border: 1px solid var(--accent); border-radius: 1em; background: none; color: var(--accent); text-decoration: none; }
.chip:hover { background: var(--soft); }
dl { margin: 0; font-size: 0.92em; }
dl div { display: flex; gap: 0.6em; }
dt { color: var(--muted); }
dd { margin: 0; }
.note { align-self: center; margin: 0; color: var(--muted); font-size: 0.9em; text-align: center; }
.note p { margin: 0 0 0.4em; }
.bad { align-self: stretch; padding: 0.6em 0.85em; border: 1px solid var(--bad); border-radius: 0.7em; color: var(--bad); }
.bad p { margin: 0 0 0.4em; }
.sources { margin: 0; padding-inline-start: 1.1em; font-size: 0.88em; }
.tray { display: flex; flex-wrap: wrap; gap: 0.4em; padding: 0.7em 0.7em 0.4em; }
.tray p { flex-basis: 100%; margin: 0; color: var(--bad); font-size: 0.9em; }
.file { display: flex; align-items: center; max-width: 100%; padding-inline-start: 0.7em; border: 1px solid var(--line); border-radius: 0.6em; font-size: 0.9em; }
.file span { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sent { display: block; margin-top: 0.35em; padding: 0.15em 0.5em; border: 1px solid; border-radius: 0.5em; font-size: 0.9em; }
.attach { display: grid; place-items: center; flex: none; width: 2.5em; height: auto; padding: 0; color: var(--muted); }
.attach svg { width: 1.35em; height: 1.35em; }
.dropping { outline: 2px dashed var(--accent); outline-offset: -6px; }
form { display: flex; gap: 0.5em; padding: 0.7em; border-top: 1px solid var(--line); }
input { flex: 1; width: 0; font-size: max(16px, 1em); min-width: 0; padding: 0.5em 0.8em; border: 1px solid light-dark(#8f8b82, #737c84); border-radius: 0.6em; background: var(--ground); }
input::placeholder { color: var(--muted); opacity: 1; }
.send { padding: 0 1em; border: none; border-radius: 0.6em; background: var(--accent); color: var(--on-accent); font-weight: 550; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) {
  .line, .send, .launcher, .plain { border: 1px solid; }
}
/* A narrow page, or a low one: a telephone on its side, a page at 400 %. */
@media (max-width: 30rem), (max-height: 24rem) {
  :host(:not([inline])) { inset: auto 12px 12px auto; }
  /* Also where the page has put the button somewhere else. */
  :host([open]:not([inline])) { inset: 0 !important; }
  :host([open]:not([inline])) .panel { width: 100%; height: 100dvh; margin: 0; border: none; border-radius: 0; }
  :host([open]:not([inline])) .launcher { display: none; }
}
@media (max-height: 18rem) {
  header { padding-block: 0; }
  form { padding-block: 0.25em; }
  .log { padding-block: 0.4em; }
}
@media print {
  :host(:not([inline])), form, .tray, .plain, .chip { display: none !important; }
  :host([inline]), :host([inline]) .panel { height: auto !important; }
  .panel, .log { overflow: visible !important; }
}
`;

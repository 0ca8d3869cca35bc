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
  position: fixed;
  inset: auto 1.25rem 1.25rem auto;
  z-index: 2147483000;
  font: 15px/1.5 var(--frontdesk-font, system-ui, "Segoe UI", "Helvetica Neue", sans-serif);
  color: var(--ink);
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([inline]) { position: relative; inset: auto; display: block; width: 100%; height: 34rem; z-index: auto; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.launcher {
  display: grid; place-items: center; width: 3.5rem; height: 3.5rem; margin-inline-start: auto;
  border: none; border-radius: 50%; background: var(--accent); color: var(--on-accent);
  box-shadow: 0 6px 20px rgb(0 0 0 / 28%);
}
:host([inline]) .launcher { display: none; }
.launcher svg { width: 1.6rem; height: 1.6rem; }
.panel {
  display: flex; flex-direction: column; width: 23.5rem; height: min(36rem, calc(100dvh - 7rem)); margin-bottom: 0.9rem;
  overflow: hidden; border: 1px solid var(--line); border-radius: 0.9rem; background: var(--ground);
  box-shadow: 0 12px 40px rgb(0 0 0 / 22%);
}
:host([inline]) .panel { width: 100%; height: 100%; margin: 0; box-shadow: none; }
header { display: flex; align-items: center; gap: 0.4rem; padding: 0.7rem 0.7rem 0.7rem 1rem; border-bottom: 1px solid var(--line); }
h2 { flex: 1; margin: 0; font-size: 1.02rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.plain { min-width: 2.25rem; height: 2.25rem; padding: 0 0.5rem; border: none; border-radius: 0.5rem; background: none; }
.plain:hover { background: var(--soft); }
:host([inline]) .close { display: none; }
.log { flex: 1; display: flex; flex-direction: column; gap: 0.7rem; padding: 1rem; overflow-y: auto; overscroll-behavior: contain; overflow-wrap: anywhere; }
.line { max-width: 88%; padding: 0.5rem 0.85rem; border-radius: 1rem; }
.line p, .line ul, .line ol { margin: 0 0 0.5rem; }
.line > :last-child { margin-bottom: 0; }
.line ul, .line ol { padding-inline-start: 1.2rem; }
.line.agent { align-self: flex-start; background: var(--soft); border-end-start-radius: 0.25rem; }
.line.user { align-self: flex-end; background: var(--accent); color: var(--on-accent); border-end-end-radius: 0.25rem; white-space: pre-wrap; }
a { color: var(--accent); }
.rich { display: flex; flex-direction: column; gap: 0.6rem; }
.card { display: flex; flex-direction: column; gap: 0.35rem; padding: 0.8rem; border: 1px solid var(--line); border-radius: 0.7rem; }
.card p { margin: 0; }
.title { margin: 0; font-weight: 600; }
.cards { display: flex; gap: 0.6rem; overflow-x: auto; }
.cards .card { flex: 0 0 11rem; }
img { max-width: 100%; border-radius: 0.5rem; }
hr { width: 100%; border: none; border-top: 1px solid var(--line); }
.chips { display: flex; flex-wrap: wrap; gap: 0.45rem; }
.chip, .chips a { padding: 0.3rem 0.8rem; border: 1px solid var(--accent); border-radius: 1rem; background: none; color: var(--accent); text-decoration: none; }
.chip:hover { background: var(--soft); }
dl { margin: 0; font-size: 0.92em; }
dl div { display: flex; gap: 0.6rem; }
dt { color: var(--muted); }
dd { margin: 0; }
.note { align-self: center; margin: 0; color: var(--muted); font-size: 0.9em; text-align: center; }
.note p { margin: 0 0 0.4rem; }
.bad { align-self: stretch; padding: 0.6rem 0.85rem; border: 1px solid var(--bad); border-radius: 0.7rem; color: var(--bad); }
.bad p { margin: 0 0 0.4rem; }
.sources { margin: 0; padding-inline-start: 1.1rem; font-size: 0.88em; }
form { display: flex; gap: 0.5rem; padding: 0.7rem; border-top: 1px solid var(--line); }
input { flex: 1; font-size: max(16px, 1em); min-width: 0; padding: 0.5rem 0.8rem; border: 1px solid light-dark(#8f8b82, #737c84); border-radius: 0.6rem; background: var(--ground); }
input::placeholder { color: var(--muted); opacity: 1; }
.send { padding: 0 1rem; border: none; border-radius: 0.6rem; background: var(--accent); color: var(--on-accent); font-weight: 550; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) {
  .line, .send, .launcher, .plain { border: 1px solid; }
}
@media (max-width: 30rem) {
  :host(:not([inline])) { inset: auto 0.75rem 0.75rem auto; }
  /* Also where the page has put the button somewhere else. */
  :host([open]:not([inline])) { inset: 0 !important; }
  :host([open]:not([inline])) .panel { width: 100%; height: 100dvh; margin: 0; border: none; border-radius: 0; }
  :host([open]:not([inline])) .launcher { display: none; }
}
`;

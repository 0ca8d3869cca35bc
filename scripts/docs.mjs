// Builds the documentation site into dist/docs, or into the folder of its argument: `npm run docs:build`. The pages of docs/ keep their
// addresses; pages that they link to elsewhere in the repository are below /repository/, and the reference, which is made from the
// definitions, below /reference/. A link to what is no page is shown as its text.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { build } from "vitepress";
import { PAGES, sidebarsWith } from "../docs/site/sidebar.mjs";
import { makeReference } from "../server/reference/reference.ts";
import { ROOT } from "./launch/progress.mjs";

const STAGED = join(ROOT, "dist", "docs-pages");
const OUT = process.argv[2] ? resolve(process.argv[2]) : join(ROOT, "dist", "docs");
const CONFIGURATION = [
  "config.mjs",
  "search.mjs",
  "sidebar.mjs",
  "anchor.mjs",
  "bundled-packages.mjs",
  "accessible-search.mjs",
];
const LEFT_OUT = new Set(["node_modules", "dist", "gen", ".git", ".github", ".frontdesk", "site"]);
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

rmSync(STAGED, { recursive: true, force: true });
const pages = new Set(pagesBelow(""));
for (const page of pages) stage(page);
cpSync(join(ROOT, "docs", "images"), join(STAGED, "images"), { recursive: true });
mkdirSync(join(STAGED, ".vitepress"), { recursive: true });
const reference = await makeReference();
for (const { index, pages: made } of reference)
  for (const page of [index, ...made]) writePage(`${page.path}.md`, page.text);
writeFileSync(join(STAGED, ".vitepress", "sidebar.json"), JSON.stringify(sidebarsWith(reference)));
for (const name of CONFIGURATION) copyFileSync(join(ROOT, "docs", "site", name), join(STAGED, ".vitepress", name));
cpSync(join(ROOT, "docs", "site", "theme"), join(STAGED, ".vitepress", "theme"), { recursive: true });
const complaints = await complaintsOf(() => build(STAGED, { outDir: OUT }));
if (complaints.length > 0) throw new Error(`the site was built with warnings:\n${complaints.join("\n")}`);

/** What is written as a warning or an error meanwhile: VitePress reports what it cannot render, and ends well all the same. */
async function complaintsOf(run) {
  const complaints = [];
  const { warn, error } = console;
  console.warn = console.error = (...words) => complaints.push(words.map(String).join(" "));
  try {
    await run();
  } finally {
    Object.assign(console, { warn, error });
  }
  return complaints;
}

function pagesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? pagesBelow(path) : path.endsWith(".md") ? [path] : [];
  });
}

/** Where a page of the repository is on the site. */
function placeOf(page) {
  return page.startsWith("docs/") ? page.slice("docs/".length) : `repository/${page}`;
}

function stage(page) {
  const text = readFileSync(join(ROOT, page), "utf8");
  const linked = text.replace(LINK, (link, image, label, target) => relink({ page, link, image, label, target }));
  const listed = PAGES.get(placeOf(page).replace(/\.md$/, ""));
  writePage(placeOf(page), listed ? withReader(linked, listed) : linked);
}

/** Says below the title whom the page is for, unless its text does, and gives the search the words that its text lacks. */
function withReader(text, { reader, words }) {
  const head = `---\nwords: ${JSON.stringify(words)}\n---\n\n`;
  if (/^# .+\n\nFor /m.test(text)) return head + text;
  return head + text.replace(/^# .+$/m, (title) => `${title}\n\n<p class="reader">For ${reader}</p>`);
}

function writePage(path, text) {
  const to = join(STAGED, path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

function relink({ page, link, image, label, target }) {
  if (/^(https?:|mailto:|#)/.test(target)) return link;
  const [path, heading] = target.split("#");
  const wanted = posix.normalize(posix.join(posix.dirname(page), path));
  const from = dirname(placeOf(page));
  if (pages.has(wanted)) {
    const to = relative(from, placeOf(wanted));
    return `[${label}](${to.startsWith(".") ? to : `./${to}`}${heading ? `#${heading}` : ""})`;
  }
  if (image && wanted.startsWith("docs/images/")) return inBothThemes(page, label, wanted);
  if (!existsSync(join(ROOT, wanted))) throw new Error(`${page} links to ${target}, which does not exist.`);
  return label;
}

/** A picture in the colours of the page, of which the theme shows one. */
function inBothThemes(page, label, light) {
  const dark = light.replace(/\.png$/, "-dark.png");
  const shown = [
    [light, "light-only"],
    [dark, "dark-only"],
  ].map(([file, theme]) => {
    if (!existsSync(join(ROOT, file)))
      throw new Error(`${page} shows ${file}, which does not exist: npm run docs:screenshots`);
    const to = relative(dirname(placeOf(page)), file.slice("docs/".length));
    return `![${label}](${to.startsWith(".") ? to : `./${to}`}){.${theme}}`;
  });
  return shown.join(" ");
}

// Builds the documentation site into dist/docs: `npm run docs:build`. The pages of docs/ keep their addresses; pages that they link to
// elsewhere in the repository are below /repository/. A link to what is no page is shown as its text.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { build } from "vitepress";
import { ROOT } from "./launch/progress.mjs";

const STAGED = join(ROOT, "dist", "docs-pages");
const OUT = join(ROOT, "dist", "docs");
const LEFT_OUT = new Set(["node_modules", "dist", "gen", ".git", ".github", ".frontdesk", "site"]);
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

rmSync(STAGED, { recursive: true, force: true });
const pages = new Set(pagesBelow(""));
for (const page of pages) stage(page);
cpSync(join(ROOT, "docs", "images"), join(STAGED, "images"), { recursive: true });
mkdirSync(join(STAGED, ".vitepress"), { recursive: true });
for (const name of ["config.mjs", "sidebar.mjs", "anchor.mjs"])
  copyFileSync(join(ROOT, "docs", "site", name), join(STAGED, ".vitepress", name));
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
  const to = join(STAGED, placeOf(page));
  mkdirSync(dirname(to), { recursive: true });
  const text = readFileSync(join(ROOT, page), "utf8");
  writeFileSync(
    to,
    text.replace(LINK, (link, image, label, target) => relink({ page, link, image, label, target })),
  );
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
  if (image && wanted.startsWith("docs/images/")) {
    const to = relative(from, wanted.slice("docs/".length));
    return `![${label}](${to.startsWith(".") ? to : `./${to}`})`;
  }
  if (!existsSync(join(ROOT, wanted))) throw new Error(`${page} links to ${target}, which does not exist.`);
  return label;
}

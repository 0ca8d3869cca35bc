// The configuration of VitePress. `npm run docs:build` puts it beside the staged pages.
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { accessibleSearch } from "./accessible-search.mjs";
import { anchorOf } from "./anchor.mjs";
import { packagesIn } from "./bundled-packages.mjs";
import { renderForSearch } from "./search.mjs";

/** Code with more characters may wrap in the cells of tables. */
const MAX_NAME = 60;

/** Ends of the parts of a name: `FRONTDESK_`, `auth.`, `allow` before `Unauthenticated`. */
const NAME_PARTS = /(?<=\w)[_.](?=\w)|[a-z](?=[A-Z])/g;

/** Where the server serves the pages. */
const BASE = "/docs/";

/** Scripts in a page have no file, and the server's policy lets pages run none: each gets one. */
const INLINE_SCRIPT = /<script((?:\s+id="[\w-]+")?)>(.+?)<\/script>/gs;

const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, "sidebar.json"), "utf8"));

// biome-ignore lint/style/noDefaultExport: VitePress reads it so
export default defineConfig({
  title: "Frontdesk",
  description: "The open engine for customer-engagement agents",
  lang: "en-US",
  base: BASE,
  cleanUrls: true,
  metaChunk: true,
  // The search index lists pages as their turn comes: side by side, in an order of its own at each build.
  buildConcurrency: 1,
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config: asWritten,
  },
  // The index of the search is one file, loaded when somebody searches.
  vite: {
    build: { chunkSizeWarningLimit: 16_000 },
    plugins: [accessibleSearch(), packagesIn(join(import.meta.dirname, "bundled.json"))],
  },
  themeConfig: {
    nav: [
      { text: "Get started", link: "/get-started" },
      { text: "Commands", link: "/commands" },
      { text: "Configuration", link: "/configuration" },
      { text: "Errors", link: "/errors" },
    ],
    sidebar,
    outline: [2, 3],
    notFound: { linkLabel: "Take me home", linkText: "Take me home" },
    search: { provider: "local", options: { _render: renderForSearch } },
  },
  buildEnd: ({ outDir }) => leadFromFolders(outDir),
  transformHtml(html, _id, { siteConfig }) {
    return html.replace(INLINE_SCRIPT, (_, id, script) => {
      const name = `assets/inline-${createHash("sha256").update(script).digest("hex").slice(0, 12)}.js`;
      mkdirSync(join(siteConfig.outDir, "assets"), { recursive: true });
      writeFileSync(join(siteConfig.outDir, name), script);
      return `<script${id} src="${BASE}${name}"></script>`;
    });
  },
});

/** An address with a slash at its end leads to the page of the list: `/spec/` to `/spec/README`, `/reference/api/` to `/reference/api`. */
function leadFromFolders(outDir) {
  for (const folder of globSync("**/", { cwd: outDir })) {
    const page = [`${folder}/README`, folder].find((path) => existsSync(join(outDir, `${path}.html`)));
    if (page === undefined || existsSync(join(outDir, folder, "index.html"))) continue;
    const to = `${BASE}${page}`;
    const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${page}</title><meta http-equiv="refresh" content="0; url=${to}"><a href="${to}">${to}</a></html>\n`;
    writeFileSync(join(outDir, folder, "index.html"), text);
  }
}

/** How pages are rendered besides what Markdown says. */
function asWritten(md) {
  // Braces in code are the code's own, not expressions of Vue.
  const { code_inline: render } = md.renderer.rules;
  md.renderer.rules.code_inline = (tokens, at, ...rest) => {
    const { content, meta } = tokens[at];
    const length = content.length > MAX_NAME ? ' class="long"' : "";
    const html = render(tokens, at, ...rest).replace("<code", `<code v-pre${length}`);
    return meta?.isCell ? html.replace(NAME_PARTS, "$&<wbr>") : html;
  };
  // A head without a word is no head of its column; a table that is wider than the window is scrolled with the keyboard, too.
  md.core.ruler.push("tables", ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type === "table_open") token.attrSet("tabindex", "0");
      if (token.type === "td_open")
        for (const child of tokens[at + 1]?.children ?? [])
          if (child.type === "code_inline") child.meta = { isCell: true };
      if (token.type !== "th_open" || tokens[at + 1]?.content !== "") continue;
      token.tag = "td";
      tokens[at + 2].tag = "td";
    }
  });
}

// The server as JavaScript: Node runs no TypeScript below node_modules, and one file is loaded faster than two thousand.
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../launch/progress.mjs";

const SOURCES = join(ROOT, "server", "src");

/** What stays a package of its own: native code, WebAssembly beside its loader, and programs that start processes from their folder. */
export const OUTSIDE = ["@duckdb/node-api", "@frontdesk/sealed-python", "@resvg/resvg-js", "libpg-query"];

/** The oldest Node that runs the package; syntax that it lacks is rewritten. */
const TARGET = "node22.13";

/** The file of the package that knows where a source file would lie. */
const PLACES = "places.js";
const PLACES_CODE = `// Where the files of dist/ are, by the place of their source.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export function placeOf(path) {
  const url = new URL(path, import.meta.url);
  const filename = fileURLToPath(url);
  return { url: url.href, filename, dirname: dirname(filename) };
}
`;

/** Entries that sources start as threads or processes: new URL(\`./name\${extname(…)}\`, import.meta.url). */
const STARTED = /new URL\(\s*`\.\/([\w-]+)\$\{extname\(import\.meta\.\w+\)\}`/g;
const OWN_PLACE = /\bimport\.meta\.(url|filename|dirname)\b/g;

/**
 * Writes the bundle into a folder: `cli/main.js`, a file for each thread and process that the server starts, and what they share
 * in `chunks/`. Returns the files that went into it.
 */
export async function bundleServer(folder) {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { "cli/main": join(SOURCES, "cli", "main.ts") },
    platform: "node",
    // Of packages with both, the modules: some of the others load their own files in ways that only Node follows.
    resolve: { mainFields: ["module", "main"] },
    external: [...OUTSIDE, "pg-native", "#places"],
    transform: { target: TARGET },
    plugins: [placesOfSources()],
    onLog: (level, log) => refuseLog(level, log),
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

/** What the bundler finds unusual in dependencies is theirs; in our sources nothing may be. */
function refuseLog(level, log) {
  if (level === "warn" && (log.id ?? log.message ?? "").includes(SOURCES)) throw new Error(log.message);
}

/** Gives each source its place in dist/, where chunks would give it another, and makes what it starts an entry. */
function placesOfSources() {
  return {
    name: "places-of-sources",
    transform(code, id) {
      if (!id.startsWith(SOURCES) || !code.includes("import.meta")) return null;
      const folder = relative(SOURCES, join(id, "..")).replaceAll("\\", "/");
      for (const [, name] of code.matchAll(STARTED))
        this.emitFile({ type: "chunk", id: join(id, "..", `${name}.ts`), fileName: `${folder}/${name}.js` });
      const path = JSON.stringify(`./${relative(SOURCES, id).replaceAll("\\", "/").replace(/\.ts$/, ".js")}`);
      const replaced = code.replace(OWN_PLACE, (_, part) => `__place.${part}`);
      return `import { placeOf as __placeOf } from "#places";\nconst __place = __placeOf(${path});\n${replaced}`;
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: PLACES, source: PLACES_CODE });
    },
  };
}

// The server as JavaScript: Node runs no TypeScript below node_modules, and one file is loaded faster than two thousand.
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { ROOT } from "../launch/progress.mjs";
import { asciiFiles, builtinsWithoutGetters, isOfOthers, shortPackages } from "./quick-start.mjs";

const SOURCES = join(ROOT, "server", "src");

/** What stays a package of its own: native code, WebAssembly beside its loader, and programs that start processes from their folder. */
export const OUTSIDE = ["@duckdb/node-api", "@frontdesk/sealed-python", "@resvg/resvg-js", "libpg-query"];

/**
 * What a bundle does not contain. Of the sandbox neither the part that reads and writes JSON: it remembers how numbers were spelled, and with
 * a second copy of it a value from Python would come back with other numbers.
 */
export const NOT_BUNDLED = [...OUTSIDE, "@frontdesk/sealed-python/json", "pg-native"];

/** The oldest Node that runs the package (undici's); syntax that it lacks is rewritten. */
export const TARGET = "node22.19";

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
 * in `chunks/`. Returns the files that went into it. `inCheckout`: it runs in this checkout only, and finds the files that are not
 * modules where the sources find them.
 */
export async function bundleServer(folder, { inCheckout = false } = {}) {
  const input = {
    cwd: ROOT,
    // The second, so that no chunk imports the first, which runs a command.
    input: {
      "cli/main": join(SOURCES, "cli", "main.ts"),
      "cli/run-command-line": join(SOURCES, "cli", "run-command-line.ts"),
    },
    platform: "node",
    // Of packages with both, the modules: some of the others load their own files in ways that only Node follows.
    resolve: { mainFields: ["module", "main"] },
    external: [...NOT_BUNDLED, "#places"],
    transform: { target: TARGET },
    plugins: [inCheckout ? placesInCheckout(folder) : placesOfSources(), builtinsWithoutGetters()],
    onLog: (level, log) => {
      // A checkout whose packages are behind its sources runs all commands but those that need what it lacks.
      if (!inCheckout || log.code !== "UNRESOLVED_IMPORT") refuseLog(level, log);
    },
  };
  const forUsers = inCheckout ? {} : await outputForUsers(input);
  const bundle = await rolldown(
    inCheckout ? input : { ...input, plugins: [...input.plugins, shortPackages(), asciiFiles()] },
  );
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: { legal: true, annotation: false, jsdoc: false },
    ...forUsers,
  });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

/**
 * What takes time to make, and is made for those who start the bundle more often than it is made. Lines stay: Node prints the one that
 * an error comes from.
 */
async function outputForUsers(input) {
  const chunks = await plainChunks(input);
  const loaded = loadedAtStart(chunks);
  return {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: "server", test: (id) => loaded.has(id) && !isOfOthers(id) },
        { name: "packages", test: (id) => loaded.has(id) && isOfOthers(id) },
        ...packagesAmongOurs(chunks, loaded),
      ],
    },
  };
}

/** The chunks that the bundler makes by itself, by the names of their files. */
async function plainChunks(input) {
  const bundle = await rolldown(input);
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
}

/**
 * The modules that a server loads before it is ready, and neither commands nor threads do, nor what a start begins before it reads them: two files, ours and
 * of others, are found and read faster than seventy.
 */
function loadedAtStart(chunks) {
  const reached = (names) => {
    const found = new Set(names);
    for (const name of found) for (const next of chunks.get(name)?.imports ?? []) found.add(next);
    return found;
  };
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const chunkOf = (...path) => [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(join(SOURCES, ...path)));
  const others = reached([...entries, chunkOf("storage", "sqlite", "index.ts").fileName]);
  const server = chunkOf("app", "index.ts");
  const alone = [...reached([server.fileName])].filter((name) => !others.has(name));
  return new Set(alone.flatMap((name) => chunks.get(name)?.moduleIds ?? []));
}

/** Bytes of packages from which on a file of their own pays. */
const MANY = 50_000;

/** Groups for packages that are in one chunk with modules of ours: in a file of their own they are written short. */
function packagesAmongOurs(chunks, loaded) {
  const mixed = [...chunks.values()].filter(({ moduleIds }) => !moduleIds.every(isOfOthers));
  return mixed.flatMap(({ name, modules }) => {
    const ids = Object.keys(modules).filter((id) => isOfOthers(id) && !id.startsWith("\0") && !loaded.has(id));
    const bytes = ids.reduce((sum, id) => sum + modules[id].renderedLength, 0);
    const found = new Set(ids);
    return bytes < MANY ? [] : [{ name: `${name}-packages`, test: (id) => found.has(id) }];
  });
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
      emitStarted(this, code, id);
      const path = JSON.stringify(`./${outputOf(id)}`);
      const replaced = code.replace(OWN_PLACE, (_, part) => `__place.${part}`);
      return `import { placeOf as __placeOf } from "#places";\nconst __place = __placeOf(${path});\n${replaced}`;
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: PLACES, source: PLACES_CODE });
    },
  };
}

/** Leaves each source its place in the checkout, unless it starts something, which is bundled: with it, or in `folder` already. */
export function placesInCheckout(folder, { areStartedThere = false } = {}) {
  return {
    name: "places-in-checkout",
    transform(code, id) {
      if (!id.startsWith(SOURCES) || !code.includes("import.meta")) return null;
      const starts = areStartedThere ? code.search(STARTED) >= 0 : emitStarted(this, code, id);
      const filename = starts ? join(folder, outputOf(id)) : id;
      const place = { url: pathToFileURL(filename).href, filename, dirname: dirname(filename) };
      return code.replace(OWN_PLACE, (_, part) => JSON.stringify(place[part]));
    },
  };
}

/** Makes an entry of each thread and process that a source starts. Whether there is one. */
function emitStarted(context, code, id) {
  const names = [...code.matchAll(STARTED)].map(([, name]) => join(dirname(id), `${name}.ts`));
  for (const name of names) context.emitFile({ type: "chunk", id: name, fileName: outputOf(name) });
  return names.length > 0;
}

/** The path of a source's file below the folder of the bundle. */
function outputOf(id) {
  return relative(SOURCES, id).replaceAll("\\", "/").replace(/\.ts$/, ".js");
}

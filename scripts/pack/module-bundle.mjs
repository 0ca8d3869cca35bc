// Modules of the sources for the processes of tests: one file is loaded in a third of the time that its two thousand modules take.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { ROOT } from "../launch/progress.mjs";
import { MODULE_LIST } from "./module-list.mjs";
import { NOT_BUNDLED, placesInCheckout, TARGET } from "./server-bundle.mjs";

/**
 * Writes the modules, by their paths, with all that they import into a folder. What they start as a thread or a process is that of
 * the server's bundle in `programFolder`.
 */
export async function bundleModules(folder, programFolder, paths) {
  const importsOf = new Map();
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(paths.map((path, at) => [String(at), path])),
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    external: NOT_BUNDLED,
    transform: { target: TARGET },
    preserveEntrySignatures: "allow-extension",
    plugins: [placesInCheckout(programFolder, { areStartedThere: true }), importNotes(importsOf)],
    onLog: () => {},
  });
  const isLoaded = once(() => reachedFrom(paths, importsOf));
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "chunks/[name]-[hash].mjs",
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: "all", test: (id) => isLoaded().has(id) }],
    },
  });
  await bundle.close();
  const list = paths.map((path, at) => [pathToFileURL(path).href, `${at}.mjs`]);
  writeFileSync(join(folder, MODULE_LIST), JSON.stringify(Object.fromEntries(list)));
}

/** Notes what each module imports at once; what it imports later is a file of its own. */
function importNotes(importsOf) {
  return {
    name: "import-notes",
    moduleParsed: ({ id, importedIds }) => void importsOf.set(id, importedIds),
  };
}

function reachedFrom(paths, importsOf) {
  const found = new Set(paths);
  for (const id of found) for (const next of importsOf.get(id) ?? []) found.add(next);
  return found;
}

function once(compute) {
  let value;
  return () => {
    value ??= compute();
    return value;
  };
}

import { readFileSync } from "node:fs";
import { registerHooks, SourceMap } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Has this process load the files of a list (`modules.json`) in place of the modules that they stand for. Its child processes find the
 * list in a variable.
 */
export function loadBundled(list) {
  process.env.FRONTDESK_TEST_MODULES = list;
  const base = pathToFileURL(list);
  const fileOf = new Map(Object.entries(JSON.parse(readFileSync(list, "utf8"))));
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const file = fileOf.get(resolved.url);
      if (file === undefined) return resolved;
      return { url: new URL(file, base).href, format: "module", shortCircuit: true };
    },
  });
  nameSources(new URL(".", base).href);
}

/** Has stacks name the files and lines that those of the folder were made of. A map is read when a stack first asks for it. */
function nameSources(folder) {
  const maps = new Map();
  const originOf = (url, line, column) => {
    if (!maps.has(url)) maps.set(url, new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), "utf8"))));
    const { fileName, lineNumber, columnNumber } = maps.get(url).findOrigin(Number(line), Number(column));
    return fileName === undefined ? undefined : `${new URL(fileName, url).href}:${lineNumber}:${columnNumber}`;
  };
  const place = new RegExp(`(${RegExp.escape(folder)}[^:\\s]+):(\\d+):(\\d+)`, "g");
  const prepare = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, frames) =>
    prepare(error, frames).replace(place, (found, url, line, column) => originOf(url, line, column) ?? found);
}

// What makes the bundle start faster than the sources, and changes nothing else.

import { getBuiltinModule } from "node:process";
import { minifySync } from "rolldown/utils";

/**
 * Modules of Node of which some exports are made when they are first asked for. An import of one by ESM asks for all, and \`node:http\` then
 * loads a client of WebSockets and all of fetch.
 */
const WITH_GETTERS = ["http"];

/** Has them imported without those exports. */
export function builtinsWithoutGetters() {
  const prefix = "\0without-getters:";
  return {
    name: "builtins-without-getters",
    resolveId(source, _, { kind }) {
      const name = source.replace(/^node:/, "");
      return WITH_GETTERS.includes(name) && kind !== "require-call" ? `${prefix}${name}` : null;
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = `node:${id.slice(prefix.length)}`;
      const exports = Object.entries(Object.getOwnPropertyDescriptors(getBuiltinModule(name)));
      const plain = exports.filter(([, { get }]) => !get).map(([key]) => key);
      const lines = plain.map((key) => `export const ${key} = builtin.${key};`);
      return `const builtin = process.getBuiltinModule("${name}");\nexport default builtin;\n${lines.join("\n")}\n`;
    },
  };
}

/**
 * Has the files that packages of others alone are in written short. Files with code of ours keep their lines: Node prints the one that an error
 * comes from.
 */
export function shortPackages() {
  const names = { function: true, class: true };
  const options = { module: true, compress: { keepNames: names }, mangle: { keepNames: names } };
  return {
    name: "short-packages",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || chunk.isEntry || !chunk.moduleIds.every(isOfOthers)) continue;
        const { code, errors } = minifySync(chunk.fileName, chunk.code, options);
        if (errors.length > 0) throw new Error(`${chunk.fileName} cannot be written short: ${errors[0].message}`);
        chunk.code = code;
      }
    },
  };
}

/**
 * Writes what is not ASCII as \u1234, which says the same in strings, templates and regular expressions: Node decodes a file of ASCII in an eighth of the time.
 * Throws for the places where it would not be the same: behind a backslash, and in a template of which the program reads the spelling.
 */
export function asciiFiles() {
  return {
    name: "ascii-files",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const [place] = SPELLED.exec(chunk.code) ?? [];
        if (place !== undefined) throw new Error(`${chunk.fileName} cannot be written in ASCII: ${place}`);
        chunk.code = chunk.code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
      }
    },
  };
}

const NOT_ASCII = /[^\0-\x7f]/g;
const SPELLED = /\\[^\0-\x7f]|\.raw`[^`]*[^\0-\x7f`]/;

/** Whether a module is not ours: also what the bundler adds of its own. */
export function isOfOthers(id) {
  return id.startsWith("\0") || (id.includes("/node_modules/") && !id.includes("/node_modules/@frontdesk/"));
}

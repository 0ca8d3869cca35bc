import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

/**
 * Has this process load the files of a list (`modules.json`) in place of the modules that they stand for. Its child processes find the
 * list in a variable.
 */
export function loadBundled(list) {
  process.env.FRONTDESK_TEST_MODULES = list;
  const fileOf = new Map(Object.entries(JSON.parse(readFileSync(list, "utf8"))));
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const url = fileOf.get(resolved.url);
      return url === undefined ? resolved : { url, format: "module", shortCircuit: true };
    },
  });
}

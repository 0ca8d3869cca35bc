import type { TablePath } from "../contract.ts";
import type { TablePattern } from "./warehouse-config.ts";

/** How closely a pattern names a path: the number of parts it spells out, 0 where only `*` fits; undefined where it does not fit. */
export function closeness(pattern: TablePattern, path: TablePath): number | undefined {
  let spelled = 0;
  for (const [at, part] of pattern.entries()) {
    if (part === undefined || (at === 0 && part === "*")) continue;
    if (part !== path[at]) return undefined;
    spelled++;
  }
  return spelled;
}

/** The mapping that names a path most closely; of equals, the first. */
export function closest<Mapping extends { readonly name: TablePattern }>(
  mappings: readonly Mapping[],
  path: TablePath,
): Mapping | undefined {
  let best: { readonly mapping: Mapping; readonly near: number } | undefined;
  for (const mapping of mappings) {
    const near = closeness(mapping.name, path);
    if (near !== undefined && near > (best?.near ?? -1)) best = { mapping, near };
  }
  return best?.mapping;
}

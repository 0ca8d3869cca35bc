import type { TablePath } from "../contract.ts";
import type { TablePattern } from "./warehouse-config.ts";

/** The number of parts that a pattern spells out, 0 where only `*` matches; undefined where it does not match the path. */
function specificity(pattern: TablePattern, path: TablePath): number | undefined {
  let spelled = 0;
  for (const [at, part] of pattern.entries()) {
    if (part === undefined || (at === 0 && part === "*")) continue;
    if (part !== path[at]) return undefined;
    spelled++;
  }
  return spelled;
}

/** The mapping whose name matches a path most specifically; of equals, the first. */
export function mostSpecificMapping<Mapping extends { readonly name: TablePattern }>(
  mappings: readonly Mapping[],
  path: TablePath,
): Mapping | undefined {
  let best: { readonly mapping: Mapping; readonly score: number } | undefined;
  for (const mapping of mappings) {
    const score = specificity(mapping.name, path);
    if (score !== undefined && score > (best?.score ?? -1)) best = { mapping, score };
  }
  return best?.mapping;
}

import type { Path } from "./document.ts";

/** The keys and indices of a field's path as messages write it: `turns[0].steps`, `args["a.b"]`. */
export function parseFieldPath(path: string): Path {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, key]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (key ?? "") : (JSON.parse(`"${quoted}"`) as string);
  });
}

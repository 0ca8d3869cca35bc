import { nearestName } from "./nearest-name.ts";

/**
 * What is wrong with the options in the query of an address, to stand behind the name of its setting: one that nothing would read, or one that is given twice.
 * Values are not repeated: they may be secrets. Undefined: nothing.
 */
export function queryOptionFault({ searchParams }: URL, known: readonly string[]): string | undefined {
  const names = [...searchParams.keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return `has the option '${unknown}', which nothing reads: ${fixOf(unknown, known)}`;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? undefined : `has the option '${twice}' twice: leave one out`;
}

function fixOf(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== undefined) return `write '${meant}', or take it out`;
  return known.length === 0 ? "take it out" : `take it out. Options are ${known.join(", ")}`;
}

/** Files and the files that they import, type imports included. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The circles of imports (strongly connected components of more than one file), by Tarjan's algorithm. */
export function circlesOf(graph: ImportGraph): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) low.set(file, Math.min(low.get(file) ?? own, visit(next)));
      else if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? own, index.get(next) ?? own));
    }
    if (low.get(file) === own) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low.get(file) ?? own;
  };

  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return circles;
}

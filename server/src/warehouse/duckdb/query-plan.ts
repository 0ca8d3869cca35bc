import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** A plan of DuckDB's `EXPLAIN (FORMAT JSON)` as lines, children below their parent. Names of files are the operator's and left out. */
export function planLines(json: string): string {
  const plan: JsonValue = JSON.parse(json);
  return linesOf(Array.isArray(plan) ? plan : [plan], 0).join("\n");
}

function linesOf(nodes: readonly JsonValue[], depth: number): readonly string[] {
  return nodes
    .filter(isJsonObject)
    .flatMap((node) => [
      `${"  ".repeat(depth)}${[String(node.name ?? "").trim(), ...detailsOf(node.extra_info)].filter(Boolean).join(" · ")}`,
      ...linesOf(Array.isArray(node.children) ? node.children : [], depth + 1),
    ]);
}

function detailsOf(info: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(info ?? null)) return [];
  return Object.entries(info as JsonObject).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
    return /file|path/i.test(name) || text === "" ? [] : [`${name}: ${text.replaceAll(/\s+/g, " ")}`];
  });
}

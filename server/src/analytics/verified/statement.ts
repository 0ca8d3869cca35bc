/** Quoted texts, names and comments of a statement: what stands in them is no parameter and no word of it. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/g;

/** A statement with its texts, quoted names and comments as spaces. */
export function bareStatement(sql: string): string {
  return sql.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}

/** Names of the parameters (`@name`) of a statement. */
export function parametersOf(sql: string): readonly string[] {
  return [...new Set([...bareStatement(sql).matchAll(/@(\w+)/g)].map(([, name = ""]) => name))];
}

const NAME = '(?:"[^"]+"|`[^`]+`|[\\p{L}_][\\p{L}\\p{N}_]*)';

/** Characters before a place that say what stands there: each number of a long statement is looked at. */
export const NEARBY = 500;

/** The column that a statement compares with what stands at a place, by its last name: `o.city = @city`, `lower(city) = lower(@city)`. */
export function comparedColumn(sql: string, at: number): string | undefined {
  const before = new RegExp(
    `(?:${NAME}\\s*\\.\\s*)*(${NAME})\\s*\\)?\\s*(?:=|<>|!=|<=?|>=?|I?LIKE|(?:NOT\\s+)?IN\\s*\\()\\s*(?:(?:LOWER|UPPER|DATE|TIMESTAMP|CAST)\\s*\\(?\\s*)?$`,
    "iu",
  );
  return before.exec(sql.slice(Math.max(0, at - NEARBY), at))?.[1]?.replace(/^["`]|["`]$/g, "");
}

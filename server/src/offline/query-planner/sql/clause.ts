/** A clause of a statement as one line; none where it would be empty. `separator`: between its texts. */
export function clause(keyword: string, texts: readonly string[], separator: string): readonly string[] {
  return texts.length > 0 ? [`${keyword} ${texts.join(separator)}`] : [];
}

/** A subquery, indented. */
export function nested(lines: readonly string[]): string {
  return lines.join("\n").replaceAll("\n", "\n  ");
}

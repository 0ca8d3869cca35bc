/** A clause of a statement as one line; none where it would be empty. `joint`: what stands between its texts. */
export function clause(keyword: string, texts: readonly string[], joint: string): readonly string[] {
  return texts.length > 0 ? [`${keyword} ${texts.join(joint)}`] : [];
}

/** Lines of a statement that stands in another one. */
export function nested(lines: readonly string[]): string {
  return lines.join("\n").replaceAll("\n", "\n  ");
}

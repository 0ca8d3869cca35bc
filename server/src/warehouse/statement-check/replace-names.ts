/** A table name in a statement and its replacement. */
interface NameReplacement {
  /** Byte at which the name begins. */
  readonly at: number;
  /** How many parts the dotted name has. */
  readonly parts: number;
  readonly text: string;
}

/** Replaces names from the end of the statement to its start, so that the offsets before them stay valid. */
export function replaceNames(sql: string, names: readonly NameReplacement[]): string {
  let written = Buffer.from(sql, "utf8");
  for (const { at, parts, text } of names.toSorted((left, right) => right.at - left.at)) {
    const rest = written.subarray(at + nameLength(written.subarray(at).toString("utf8"), parts));
    written = Buffer.concat([written.subarray(0, at), Buffer.from(text), rest]);
  }
  return written.toString("utf8");
}

const PART = /^(?:[uU]&(?="))?(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)/u;
/** What may stand between a part and its dot. */
const GAP = String.raw`(?:\s|--[^\n]*\n|/\*[\s\S]*?\*/)*`;
const DOT = new RegExp(`^${GAP}\\.${GAP}`);

/** Bytes of a dotted name of `count` parts at the start of `text`. The caller parses the result again, which finds what this misread. */
function nameLength(text: string, count: number): number {
  let rest = text;
  for (let index = 0; index < count; index++) {
    if (index > 0) rest = rest.replace(DOT, "");
    rest = rest.replace(PART, "");
  }
  return Buffer.byteLength(text) - Buffer.byteLength(rest);
}

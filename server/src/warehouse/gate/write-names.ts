/** A name in a statement and what stands in its place. */
export interface NameInText {
  /** Byte at which the name begins. */
  readonly at: number;
  /** How many parts the dotted name has. */
  readonly parts: number;
  readonly text: string;
}

/** Writes whole names in the place of names, from the end on, so that places before them stay true. */
export function writeNames(sql: string, names: readonly NameInText[]): string {
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

/** Bytes of a dotted name of `count` parts at the start of `text`. Who reads the written text again finds what this misread. */
function nameLength(text: string, count: number): number {
  let rest = text;
  for (let index = 0; index < count; index++) {
    if (index > 0) rest = rest.replace(DOT, "");
    rest = rest.replace(PART, "");
  }
  return Buffer.byteLength(text) - Buffer.byteLength(rest);
}

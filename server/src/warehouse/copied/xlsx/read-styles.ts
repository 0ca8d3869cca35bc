import type { Parts } from "./open-parts.ts";
import { walkXml } from "./walk-xml.ts";

const STYLES = "xl/styles.xml";

/** Formats of days and times that every workbook has without declaring them (ECMA-376 part 1, 18.8.30). */
const OWN_DATES = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
]);

/** Numbers of the styles in which a number is a day or a time. */
export async function dateStyles(parts: Parts): Promise<ReadonlySet<number>> {
  const formats = new Set(OWN_DATES);
  const styles: number[] = [];
  let within = false;
  if (!parts.has(STYLES)) return new Set();
  await walkXml(parts.text(STYLES), {
    open(name, attributes) {
      if (name === "cellXfs") within = true;
      if (name === "numFmt" && isDateFormat(attributes.formatCode ?? "")) formats.add(Number(attributes.numFmtId));
      if (name === "xf" && within) styles.push(Number(attributes.numFmtId ?? 0));
    },
    close(name) {
      if (name === "cellXfs") within = false;
    },
  });
  return new Set(styles.flatMap((format, style) => (formats.has(format) ? [style] : [])));
}

/** Letters of days and times outside texts; `[h]` is a length of time, which stays a number. */
function isDateFormat(code: string): boolean {
  if (/\[[hms]+\]/i.test(code)) return false;
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*.|general/gi, ""));
}

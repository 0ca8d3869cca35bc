import { TableFileError } from "../table-file.ts";
import { type Parts, walkXml } from "./workbook-parts.ts";

interface Sheet {
  readonly name: string;
  readonly part: string;
}

interface Workbook {
  /** Worksheets that are not hidden, in their order. */
  readonly sheets: readonly Sheet[];
  /** Whether serial dates count from 1904. */
  readonly from1904: boolean;
}

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";

/** Reads the list of worksheets. */
export async function readWorkbook(parts: Parts): Promise<Workbook> {
  if (!parts.has(WORKBOOK) || !parts.has(RELATIONS)) throw new TableFileError("it is not an Excel workbook");
  const targets = await worksheets(parts);
  const sheets: Sheet[] = [];
  let from1904 = false;
  await walkXml(parts.text(WORKBOOK), {
    open(name, attributes) {
      if (name === "workbookPr") from1904 = ["1", "true"].includes(attributes.date1904 ?? "");
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const part = name === "sheet" ? targets.get(id ?? "") : undefined;
      const visible = (attributes.state ?? "visible") === "visible";
      if (part && visible) sheets.push({ name: attributes.name ?? "", part });
    },
  });
  return { sheets, from1904 };
}

async function worksheets(parts: Parts): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  await walkXml(parts.text(RELATIONS), {
    open(_name, attributes) {
      const { Id: id, Type: type, Target: target } = attributes;
      if (!id || !target || !type?.endsWith("/worksheet")) return;
      targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    },
  });
  return targets;
}

const STYLES = "xl/styles.xml";

/** Built-in number formats of dates and times, which workbooks do not declare (ECMA-376 part 1, 18.8.30). */
const BUILT_IN_DATE_FORMATS = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
]);

/** Indexes of the cell styles that show a number as a date or time. */
export async function readDateStyles(parts: Parts): Promise<ReadonlySet<number>> {
  const formats = new Set(BUILT_IN_DATE_FORMATS);
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

/** Whether a format has letters of dates or times outside literals; `[h]` is a duration, which stays a number. */
function isDateFormat(code: string): boolean {
  if (/\[[hms]+\]/i.test(code)) return false;
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^[\]]*\]|\\.|_.|\*.|general/gi, ""));
}

const MAX_SHARED_STRINGS = 1_000_000;

/** The shared strings, which cells refer to by index. Phonetic runs are left out. */
export async function readSharedStrings(parts: Parts): Promise<readonly string[]> {
  const texts: string[] = [];
  if (!parts.has("xl/sharedStrings.xml")) return texts;
  let [inText, phonetic, text] = [false, false, ""];
  await walkXml(parts.text("xl/sharedStrings.xml"), {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") phonetic = true;
      inText = name === "t" && !phonetic;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === "t") inText = false;
      if (name === "rPh") phonetic = false;
      if (name === "si" && texts.push(text) > MAX_SHARED_STRINGS)
        throw new TableFileError(`it has more than ${MAX_SHARED_STRINGS} shared strings`);
    },
  });
  return texts;
}

import { TableFileFault } from "../table-file.ts";
import type { Parts } from "./open-parts.ts";
import { walkXml } from "./walk-xml.ts";

export interface Sheet {
  readonly name: string;
  readonly part: string;
}

export interface Workbook {
  /** Sheets of cells that are not hidden, in their order. */
  readonly sheets: readonly Sheet[];
  /** Days are counted from 1904. */
  readonly from1904: boolean;
}

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";

/** What a workbook consists of. */
export async function readWorkbook(parts: Parts): Promise<Workbook> {
  if (!parts.has(WORKBOOK) || !parts.has(RELATIONS)) throw new TableFileFault("it is no Excel workbook");
  const targets = await worksheets(parts);
  const sheets: Sheet[] = [];
  let from1904 = false;
  await walkXml(parts.text(WORKBOOK), {
    open(name, attributes) {
      if (name === "workbookPr") from1904 = ["1", "true"].includes(attributes.date1904 ?? "");
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const part = name === "sheet" ? targets.get(id ?? "") : undefined;
      const shown = (attributes.state ?? "visible") === "visible";
      if (part && shown) sheets.push({ name: attributes.name ?? "", part });
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

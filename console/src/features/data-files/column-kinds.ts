import { type DataFile_Column as Column, DataFile_Kind as Kind } from "@frontdesk/protos/gda/data_file";

/** Kinds as people call them, in the order in which they are offered. */
export const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly description: string }[] = [
  { kind: Kind.TEXT, label: "Text", description: "Words that are not counted" },
  { kind: Kind.CATEGORY, label: "Category", description: "Few values, to group by" },
  { kind: Kind.IDENTIFIER, label: "Identifier", description: "Never added up" },
  { kind: Kind.NUMBER, label: "Number", description: "Added up, averaged" },
  { kind: Kind.MONEY, label: "Money", description: "Numbers, with or without a currency" },
  { kind: Kind.DATE, label: "Date", description: "A day" },
  { kind: Kind.DATE_TIME, label: "Date and time", description: "A moment" },
  { kind: Kind.BOOLEAN, label: "Yes or no", description: "True or false" },
];

/** What a kind is called. */
export function kindLabel(kind: Kind): string {
  return KINDS.find((one) => one.kind === kind)?.label ?? "Unknown";
}

/** How values of a kind may be written; empty where the kind needs no saying. Values are those of the API. */
export function formatsOf(
  kind: Kind,
  { storedType }: Pick<Column, "storedType">,
): readonly { readonly value: string; readonly label: string }[] {
  if (kind === Kind.DATE) return storedType === "DATE" ? [] : DATES;
  if (kind === Kind.DATE_TIME)
    return /DATETIME|TIMESTAMP/.test(storedType)
      ? []
      : DATES.map(({ value, label }) => ({ value: `${value} %H:%M`, label: `${label} 17:05` }));
  if ((kind === Kind.NUMBER || kind === Kind.MONEY) && storedType === "STRING") return NUMBERS;
  return [];
}

const NUMBERS = [
  { value: ".", label: "1,234.50" },
  { value: ",", label: "1.234,50" },
];
const DATES = [
  { value: "%d.%m.%Y", label: "31.12.2026" },
  { value: "%d/%m/%Y", label: "31/12/2026 (day first)" },
  { value: "%m/%d/%Y", label: "12/31/2026 (month first)" },
  { value: "%d-%m-%Y", label: "31-12-2026" },
  { value: "%Y-%m-%d", label: "2026-12-31" },
  { value: "%Y/%m/%d", label: "2026/12/31" },
  { value: "%Y%m%d", label: "20261231" },
  { value: "%d %b %Y", label: "31 Dec 2026" },
  { value: "%b %d, %Y", label: "Dec 31, 2026" },
];

import { type SemanticColumn, type SemanticTable, tokenize } from "#analytics";
import { computedOf } from "./computed.ts";
import { isKey, isNumeric, isTemporal } from "./meaning.ts";

/** The prefix that all columns of a table share (`l_` in `l_quantity`); it has no meaning. */
function sharedPrefix({ columns }: SemanticTable): string {
  const first = /^([a-z]{1,4})_/i.exec(columns[0]?.name ?? "")?.[0] ?? "";
  return first !== "" && columns.length > 1 && columns.every(({ name }) => name.startsWith(first)) ? first : "";
}

/** A column's name in words; that of a table in a role begins with the role ("origin port country"). */
export function columnLabel(table: SemanticTable & { readonly role?: string }, column: SemanticColumn): string {
  if (computedOf(column)) return column.name;
  if (table.role !== undefined) return inRole(table.role, columnLabel({ ...table, role: undefined }, column));
  const name = column.name.slice(sharedPrefix(table).length);
  return tokenize(splitCompound(name))
    .map(({ text }) => text.toLowerCase())
    .join(" ");
}

function inRole(role: string, label: string): string {
  const [first = "", ...rest] = label.split(" ");
  return role.endsWith(` ${first}`) ? [role, ...rest].join(" ") : `${role} ${label}`;
}

/** A table's name in words, or that of the role in which it is read. */
export function tableLabel(table: SemanticTable & { readonly role?: string }): string {
  if (table.role !== undefined) return table.role;
  return tokenize(table.schema.path.at(-1) ?? "")
    .map(({ text }) => text.toLowerCase())
    .join(" ");
}

/** Suffixes of compound column names: orderdate, totalprice, supplycost. */
const TAILS = /^([a-z]{3,}?)(date|time|price|cost|key|name|priority|segment|mode|status|flag|balance|bal|qty|type)$/i;

function splitCompound(name: string): string {
  const parts = TAILS.exec(name);
  return parts && !name.includes("_") ? `${parts[1]}_${parts[2]}` : name;
}

/** The column that names a row to people; undefined where none does. */
export function displayColumn(table: SemanticTable & { readonly plays?: SemanticTable }): SemanticColumn | undefined {
  if (table.plays) {
    const played = displayColumn(table.plays)?.name;
    return table.columns.find(({ name }) => name === played);
  }
  const texts = table.columns.filter(({ type }) => type === "STRING" || type === "JSON");
  const owner = tokenize(tableLabel(table)).map(({ stem }) => stem);
  // A table of pubs has a column pub.
  const own = texts.find((column) => !isKey(table, column) && wordsAlike(columnLabel(table, column), owner));
  const named = texts.find((column) => {
    if (isKey(table, column)) return false;
    const words = tokenize(columnLabel(table, column));
    const last = words.at(-1)?.text.toLowerCase() ?? "";
    // "airport name" of bird strikes names an airport.
    const others = words.slice(0, -1).filter(({ stem, text }) => !owner.includes(stem) && !OF_NAMES.test(text));
    const isOwn = others.every(({ text }) => abbreviates(text, owner));
    return (isOwn && NAMES.test(last)) || (words.length === 1 && /(name|title)$/.test(last));
  });
  return named ?? own;
}

function wordsAlike(label: string, owner: readonly string[]): boolean {
  return (
    tokenize(label)
      .map(({ stem }) => stem)
      .join(" ") === owner.join(" ")
  );
}

/** "dept" for department: the letters of the word in its order, the first one among them. */
function abbreviates(text: string, owner: readonly string[]): boolean {
  const letters = text.toLowerCase();
  return letters.length > 2 && owner.some((word) => word.startsWith(letters[0] ?? " ") && hasInOrder(word, letters));
}

function hasInOrder(word: string, letters: string): boolean {
  let found = 0;
  for (const letter of word) if (letter === letters[found]) found++;
  return found === letters.length;
}

/** Words for a name, with those of schemas in German, French and Spanish. */
const NAMES =
  /^(name|nm|title|label|headline|caption|subject|bezeichnung|titel|nom|libelle|titre|nombre|denominacion)$/;
/** Words that say which name of a thing it is. */
const OF_NAMES =
  /^(full|display|first|last|common|short|long|legal|official|brand|company|business|user|product|item|article|original|local|english)$/i;

const PEOPLE = /\b(customer|client|user|buyer|person|people|employee|member|shopper|patient|student)/i;

/** Whether a table's rows are people, by its name or its synonyms. */
export function isAboutPeople(table: SemanticTable): boolean {
  return PEOPLE.test(`${tableLabel(table)} ${table.synonyms.join(" ")}`);
}

/** Whether a column, by its label, says when somebody was born: no time at which a row happened. */
export function isBirth(label: string): boolean {
  return /\b(birth|born|birthday|birthdate|dob)\b/.test(label);
}

/** The columns of time in the order of the table. */
export function timeColumns(table: SemanticTable): readonly SemanticColumn[] {
  return table.columns.filter(isTemporal);
}

/** Times with which a row ends: where there is none, it goes on. */
export function endColumns(table: SemanticTable): readonly SemanticColumn[] {
  return timeColumns(table).filter((column) => END.test(columnLabel(table, column)));
}

const END =
  /\b(end|ended|ends|until|termination|terminated|left|closed|cancelled|canceled|discharged?|expired?|expiry|churned|resigned|valid to)\b/;

/** A value that says how a row is now, and not how it was: of another time only its begin and end tell. */
export const STATE_OF_NOW = /^(active|open|current|running|live|ongoing|valid|enabled)$/i;

/** The price column; undefined where there is none. */
export function priceColumn({ columns }: SemanticTable): SemanticColumn | undefined {
  const found = columns.filter((column) => isNumeric(column) && /price|cost/i.test(column.name));
  const named = found.find(({ name }) => /^(?:[a-z]{1,3}_)?(?:unit|list|retail|sales?)?[\s_]*price$/i.test(name));
  return named ?? (found.length === 1 ? found[0] : undefined);
}

/** The stem of a verb form: "shipped" and "shipping" give "ship", "delivered" gives "deliver". */
export function verbOf(word: string): string {
  const cut = word.replace(/(ed|ing)$/, "");
  if (cut === word || cut.length < 3) return word;
  return /([bdgklmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

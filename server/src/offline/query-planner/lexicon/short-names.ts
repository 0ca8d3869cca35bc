import { type SemanticColumn, type SemanticTable, tokenize } from "#analytics";
import { isStopWord, keywordAt } from "../constituents/keywords.ts";
import { isFlag, isKey, isNumeric, isTemporal } from "./meaning.ts";
import { columnLabel, tableLabel } from "./names.ts";

/** A unit at the end of a column's name: `weight_kg`, `mrrCents`, `discount_pct`. People name the column without it. */
const UNIT =
  /^(cents?|eur|usd|gbp|chf|jpy|kg|kgs|g|grams?|lbs?|t|tons?|km|m|cm|mm|mi|miles|ml|l|ms|s|secs?|seconds|mins?|minutes|hrs?|hours|days|pct|percent|pp|bps|kwh|mwh|kw|mw|w|c|f|celsius|bytes|kb|mb|gb|ppm|ppb|mv|v|volts?|bar|mbar|psi|hpa|kpa|dba?|rpm|mph|kmh|kph|bpm|mmhg)$/;

/** What a name ends in that says what kind of text it is: `companyName`, `countryCode`. */
const KIND = /^(name|nm|code|type|typ|desc|description|label|text|category|class|flag)$/;

/** What names of columns are abbreviated to everywhere. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  `acct=account addr=address amt=amount avg=average bal=balance cat=category cnt=count ctry=country curr=currency
   cust=customer dept=department desc=description dest=destination dist=distance emp=employee inv=invoice
   loc=location mgr=manager nm=name nr=number num=number ord=order org=organization pct=percent prod=product
   qty=quantity rev=revenue stat=status temp=temperature tot=total txn=transaction trx=transaction typ=type
   yr=year`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/** What a column is called beside its name, and the column as the question would have to name it. */
interface ShortNames {
  /** Without a unit, with abbreviations written out, a flag without "is": nothing is guessed. */
  readonly certain: readonly string[];
  /** A part of the name: "salary" for annual_salary, "country" for countryCode. */
  readonly parts: readonly string[];
}

/** The shorter and longer names of a column; none of keys, and no parts of times. */
export function shortNames(table: SemanticTable, column: SemanticColumn): ShortNames {
  if (isKey(table, column)) return { certain: [], parts: [] };
  const words = columnLabel(table, column).split(" ");
  const spelled = words.map((word) => ABBREVIATIONS.get(word) ?? word);
  const plain = isNumeric(column) && words.length > 1 && UNIT.test(words.at(-1) ?? "") ? spelled.slice(0, -1) : spelled;
  const said = isFlag(column) && /^(is|has|was|are)$/.test(plain[0] ?? "") ? plain.slice(1) : plain;
  const owner = tableLabel(table);
  const certain = [spelled, plain, said].map((one) => one.join(" "));
  if (isTemporal(column)) return { certain, parts: [] };
  const heads = column.type === "STRING" && said.length > 1 && KIND.test(said.at(-1) ?? "") ? [said.slice(0, -1)] : [];
  const tails = [said, ...heads].flatMap((one) => one.slice(1).map((_, at) => one.slice(at + 1)));
  const parts = [...heads, ...tails].filter(isName).map((one) => one.join(" "));
  // "ledgers by account" names no "approved by" of ledgers.
  const owned = tails.filter((tail) => !tail.every(isStopWord)).map((tail) => `${owner} ${tail.join(" ")}`);
  return { certain, parts: [...parts, ...owned] };
}

/** Words that mean something else in a question are no name. */
function isName(words: readonly string[]): boolean {
  const stems = tokenize(words.join(" ")).map(({ stem }) => stem);
  const [first = ""] = stems;
  return first.length > 2 && !isStopWord(first) && !keywordAt(stems) && !/^\d/.test(first);
}

import type { SemanticColumn, SemanticTable } from "#analytics";
import { amountOfCents } from "./cents.ts";
import { ageColumn } from "./computed-columns.ts";
import { isKey, isNumeric } from "./meaning.ts";
import { columnLabel, priceColumn } from "./names.ts";

/** What an adjective compares: "heavier" and "lightest" the weight, "taller" the height. */
export type Attribute = keyof typeof ATTRIBUTES;

/** Adjectives in comparative and superlative, and what the column is called that has the number. */
const ATTRIBUTES = {
  price: {
    more: "more expensive|dearer|pricier|costlier",
    most: "most expensive|priciest|dearest",
    less: "cheaper|less expensive",
    least: "cheapest|least expensive",
    called: /\b(price|cost)\b/,
  },
  weight: { more: "heavier", most: "heaviest", less: "lighter", least: "lightest", called: /\b(weight|mass)\b/ },
  height: { more: "taller", most: "tallest", less: "", least: "", called: /\b(height|stature)\b/ },
  length: {
    more: "longer",
    most: "longest",
    less: "shorter",
    least: "shortest",
    called: /\b(height|length|duration|distance|runtime|running time)\b/,
  },
  width: { more: "wider", most: "widest", less: "narrower", least: "narrowest", called: /\bwidth\b/ },
  depth: { more: "deeper", most: "deepest", less: "shallower", least: "shallowest", called: /\bdepth\b/ },
  speed: { more: "faster", most: "fastest", less: "slower", least: "", called: /\b(speed|velocity)\b/ },
  temperature: {
    more: "hotter|warmer",
    most: "hottest|warmest",
    less: "colder|cooler",
    least: "coldest|coolest",
    called: /\b(temperature|temp)\b/,
  },
  age: { more: "older", most: "", less: "younger", least: "", called: /\bage\b/ },
  salary: {
    more: "",
    most: "highest paid|best paid",
    less: "",
    least: "lowest paid|worst paid",
    called: /\b(salary|wage|wages)\b/,
  },
} as const;

/** The adjectives of one degree, with what they compare. */
export function adjectives(
  degree: "more" | "most" | "less" | "least",
): readonly { readonly attribute: Attribute; readonly words: readonly string[] }[] {
  return (Object.keys(ATTRIBUTES) as Attribute[]).flatMap((attribute) => {
    const phrases = ATTRIBUTES[attribute][degree];
    return phrases === "" ? [] : [{ attribute, words: phrases.split("|") }];
  });
}

/** The column of a table that has what an adjective compares; undefined where there is none, or several. */
export function attributeColumn(attribute: Attribute, table: SemanticTable): SemanticColumn | undefined {
  if (attribute === "price") return amountIn(table, priceColumn(table));
  const { called } = ATTRIBUTES[attribute];
  const [column, other] = table.columns.filter(
    (one) => isNumeric(one) && !isKey(table, one) && called.test(columnLabel(table, one)),
  );
  if (attribute === "age" && !column) return ageColumn(table);
  return other ? undefined : amountIn(table, column);
}

/** Prices in cents are compared as amounts. */
function amountIn(table: SemanticTable, column: SemanticColumn | undefined): SemanticColumn | undefined {
  return column && (amountOfCents(table, column) ?? column);
}

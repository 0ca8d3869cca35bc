import { quoteName, quoteText } from "../sql-quoting.ts";
import { rewriteOf, unitOf } from "./functions.ts";
import { type Group, groupBrackets, isGroup, isMark, isWord, type Node, splitArguments, wordOf } from "./syntax.ts";
import { type Token, tokenize, UntranslatableError } from "./tokens.ts";
import { translateType } from "./types.ts";

/** The statement in DuckDB's dialect, or the construct that has no counterpart. */
type Translation =
  | { readonly kind: "translated"; readonly sql: string }
  | { readonly kind: "rejected"; readonly construct: string; readonly reason: string };

/** Translates a statement from GoogleSQL by the table of CA-21. What is not in the table stays as it is. */
export function translateGoogleSql(sql: string): Translation {
  try {
    return { kind: "translated", sql: write(groupBrackets(tokenize(sql))).trim() };
  } catch (error) {
    if (!(error instanceof UntranslatableError)) throw error;
    return { kind: "rejected", construct: error.construct, reason: error.message };
  }
}

/** The output of a rule for the nodes at a position, and how many nodes it consumed. */
interface RuleOutput {
  readonly text: string;
  readonly length: number;
}

function write(nodes: readonly Node[]): string {
  let sql = "";
  for (let at = 0; at < nodes.length; ) {
    const { text, length } = writeAt(nodes, at);
    const spaced = nodes[at]?.space || needsSpace(sql, text);
    sql += spaced && sql !== "" ? ` ${text}` : text;
    at += length;
  }
  return sql;
}

function needsSpace(before: string, text: string): boolean {
  return /\w$/.test(before) && /^[\w"'$]/.test(text);
}

function writeAt(nodes: readonly Node[], at: number): RuleOutput {
  const node = nodes[at];
  if (!node) return { text: "", length: 1 };
  if (node.kind === "group") return { text: writeGroup(node), length: 1 };
  if (node.kind !== "word") return { text: writeToken(node), length: 1 };
  return (
    unnest(nodes, at) ?? keyword(nodes, at) ?? cast(nodes, at) ?? call(nodes, at) ?? { text: node.text, length: 1 }
  );
}

function writeToken({ kind, text }: Token): string {
  switch (kind) {
    case "quoted-name":
      return text.split(".").map(quoteName).join(".");
    case "string":
      return quoteText(text);
    case "bytes":
      return `'${[...Buffer.from(text, "latin1")].map((byte) => `\\x${byte.toString(16).padStart(2, "0").toUpperCase()}`).join("")}'::BLOB`;
    case "parameter":
      return `$${text}`;
    default:
      return text;
  }
}

/** Brackets; `arr[OFFSET(0)]` counts from 0, DuckDB from 1. */
function writeGroup({ open, items }: Group): string {
  const [word, index] = items;
  if (open === "[" && isWord(word, "OFFSET", "SAFE_OFFSET") && isGroup(index, "("))
    return `[(${write(index.items)}) + 1]`;
  if (open === "[" && isWord(word, "ORDINAL", "SAFE_ORDINAL") && isGroup(index, "(")) return `[${write(index.items)}]`;
  return open === "(" ? `(${write(items)})` : `[${write(items)}]`;
}

/** Keywords that DuckDB spells otherwise, and those that it does not have. */
function keyword(nodes: readonly Node[], at: number): RuleOutput | undefined {
  const [before, node, next] = [nodes[at - 1], nodes[at], nodes[at + 1]];
  if (isWord(node, "EXCEPT") && isGroup(next, "(") && isMark(before, "*")) return { text: "EXCLUDE", length: 1 };
  if (isWord(node, "EXCEPT", "INTERSECT") && isWord(next, "DISTINCT")) return { text: wordOf(node), length: 2 };
  if (isWord(node, "TIMESTAMP", "DATETIME") && next?.kind === "string") {
    return { text: `${isWord(node, "TIMESTAMP") ? "TIMESTAMPTZ" : "TIMESTAMP"} ${quoteText(next.text)}`, length: 2 };
  }
  if (isWord(node, "NUMERIC", "BIGNUMERIC") && next?.kind === "string")
    return { text: `CAST(${quoteText(next.text)} AS DECIMAL(38, 9))`, length: 2 };
  if (isWord(node, "ARRAY") && isMark(next, "<")) return typedArray(nodes, at);
  if (isWord(node, "SELECT") && isWord(next, "AS") && isWord(nodes[at + 2], "STRUCT", "VALUE"))
    throw new UntranslatableError("SELECT AS STRUCT", "DuckDB has no rows as values");
  if (isWord(node, "WITH") && isWord(next, "OFFSET"))
    throw new UntranslatableError("WITH OFFSET", "offsets of UNNEST are not translated");
  if (isWord(node, "SYSTEM_TIME"))
    throw new UntranslatableError("FOR SYSTEM_TIME AS OF", "tables are read as they are now");
  if (isWord(node, "PIVOT", "UNPIVOT") && isGroup(next, "("))
    throw new UntranslatableError(wordOf(node).toUpperCase(), "write it with conditional aggregates");
  if (isWord(node, "ML", "AI", "NET", "KEYS", "HLL_COUNT") && isMark(next, ".") && isGroup(nodes[at + 3], "("))
    throw new UntranslatableError(wordOf(node).toUpperCase(), "these functions are not available");
  if (isWord(node, "SAFE") && isMark(next, "."))
    throw new UntranslatableError("SAFE.", "only SAFE_CAST and SAFE_DIVIDE are translated");
  if (isWord(node, "IGNORE", "RESPECT") && isWord(next, "NULLS") && isWord(nodes[at - 2], "ARRAY_AGG"))
    throw new UntranslatableError("ARRAY_AGG IGNORE NULLS", "filter the rows instead");
  return undefined;
}

function typedArray(nodes: readonly Node[], at: number): RuleOutput | undefined {
  const list = nodes.findIndex((node, index) => index > at && isGroup(node, "["));
  const values = nodes[list];
  return values?.kind === "group" ? { text: writeGroup(values), length: list - at + 1 } : undefined;
}

/** `FROM UNNEST(x) AS d`: d is the value in GoogleSQL, a row in DuckDB. */
function unnest(nodes: readonly Node[], at: number): RuleOutput | undefined {
  const [word, list] = [nodes[at], nodes[at + 1]];
  if (!isWord(word, "UNNEST") || !isGroup(list, "(")) return undefined;
  const hasAs = isWord(nodes[at + 2], "AS");
  const alias = nodes[at + (hasAs ? 3 : 2)];
  const isAlias =
    alias?.kind === "quoted-name" ||
    (alias?.kind === "word" && (hasAs || !AFTER_TABLE_EXPRESSION.has(alias.text.toUpperCase())));
  if (!isAlias) return { text: `UNNEST(${write(list.items)})`, length: 2 };
  const name = writeToken({ ...alias, kind: "quoted-name" });
  return {
    text: `UNNEST(${write(list.items)}) AS ${writeToken({ ...alias, kind: "quoted-name", text: `${alias.text}_row` })}(${name})`,
    length: hasAs ? 4 : 3,
  };
}

const AFTER_TABLE_EXPRESSION = new Set(
  "WHERE GROUP ORDER HAVING QUALIFY LIMIT WINDOW JOIN CROSS LEFT RIGHT FULL INNER ON USING UNION EXCEPT INTERSECT WITH AS TABLESAMPLE".split(
    " ",
  ),
);

/** CAST and SAFE_CAST have a type in them, EXTRACT a unit. */
function cast(nodes: readonly Node[], at: number): RuleOutput | undefined {
  const [word, inner] = [nodes[at], nodes[at + 1]];
  if (!isGroup(inner, "(")) return undefined;
  if (isWord(word, "CAST", "SAFE_CAST")) {
    const as = inner.items.findLastIndex((item) => isWord(item, "AS"));
    const type = translateType(inner.items.slice(as + 1));
    return {
      text: `${isWord(word, "CAST") ? "CAST" : "TRY_CAST"}(${write(inner.items.slice(0, as))} AS ${type})`,
      length: 2,
    };
  }
  if (isWord(word, "EXTRACT")) return { text: extract(inner), length: 2 };
  return undefined;
}

function extract({ items }: Group): string {
  const from = items.findIndex((item) => isWord(item, "FROM"));
  const [part] = items;
  const value = write(items.slice(from + 1));
  if (items.some((item) => isWord(item, "AT")))
    throw new UntranslatableError("EXTRACT AT TIME ZONE", "times are in UTC");
  if (isWord(part, "DAYOFWEEK")) return `(dayofweek(${value}) + 1)`;
  if (isWord(part, "DAYOFYEAR")) return `dayofyear(${value})`;
  if (isWord(part, "DATE", "TIME")) return `CAST(${value} AS ${wordOf(part)})`;
  return `extract(${unitOf(items.slice(0, from), "EXTRACT")} FROM ${value})`;
}

/** A function that has another name or form. Names after a dot are columns or methods, not functions. */
function call(nodes: readonly Node[], at: number): RuleOutput | undefined {
  const [node, inner] = [nodes[at], nodes[at + 1]];
  if (node?.kind !== "word" || !isGroup(inner, "(") || isMark(nodes[at - 1], ".")) return undefined;
  const rewrite = rewriteOf(node.text);
  return rewrite && { text: rewrite(splitArguments(inner), write, node.text), length: 2 };
}

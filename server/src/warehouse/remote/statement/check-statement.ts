import type { QueryParameter, TableView } from "../../contract.ts";
import type { CheckedStatement } from "../../statement-check/statement-check.ts";
import { findViews } from "../../statement-check/table-views.ts";
import type { RemoteDialect, ScopedTable } from "../contract.ts";
import { checkQualifiers } from "./expressions.ts";
import { readStatement } from "./read-query.ts";
import { Refusal } from "./refusal.ts";
import { grouped, isSymbol, tokensOf } from "./tokens.ts";
import { createWriter, foldedName } from "./writer.ts";

/** What a statement may name. */
interface Known {
  readonly scope: readonly ScopedTable[];
  readonly parameters: readonly QueryParameter[];
  /** Names of the columns of the tables. */
  readonly columns: readonly string[];
  /** Tables of which the caller sees a part. */
  readonly views: readonly TableView[];
}

/**
 * (CA-42) Reads a statement by a grammar of SELECT and writes it anew from what was understood: words of the list, functions of the list, tables of the context
 * by their whole names, all other names in quotes, texts as literals of ours, no comments. Nothing of the text itself reaches the engine.
 */
export function checkStatement(
  sql: string,
  dialect: RemoteDialect,
  { scope, parameters, columns, views }: Known,
): CheckedStatement {
  try {
    const tokens = tokensOf(sql, dialect.lexis);
    const end = isSymbol(tokens.at(-1), ";") ? tokens.length - 1 : tokens.length;
    const { isDenied, selectOf } = findViews(views);
    const visible = scope.filter(({ path }) => !isDenied(path));
    const writer = createWriter({ dialect, scope: visible, parameters, selectOf });
    readStatement(grouped(tokens.slice(0, end)), writer);
    checkQualifiers(writer, new Set(columns.map(foldedName)));
    return { kind: "valid", sql: writer.written.join(" "), tables: [...writer.tables].map(({ path }) => path) };
  } catch (error) {
    if (error instanceof Refusal) return error.check;
    throw error;
  }
}

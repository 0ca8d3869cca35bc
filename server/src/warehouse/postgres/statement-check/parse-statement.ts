import { thrownMessage } from "#base";
import { isNode, type Node } from "../../statement-check/parse-tree.ts";

/** The parse tree of one statement, or why there is none. */
type ParseResult =
  | { readonly kind: "statement"; readonly node: Node }
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "invalid"; readonly error: string };

/** Parses statements with the grammar of PostgreSQL itself, compiled to WebAssembly. */
export interface StatementParser {
  parse(sql: string): ParseResult;
}

/** Loads the grammar; once a process is enough. */
export async function loadParser(): Promise<StatementParser> {
  const { loadModule, parseSync } = await import("libpg-query");
  await loadModule();
  return {
    parse(sql) {
      // The grammar ends at a NUL, the server may not.
      if (sql.includes("\0")) return { kind: "invalid", error: "A statement has no NUL characters." };
      try {
        return statementOf(parseSync(sql).stmts ?? []);
      } catch (error) {
        return { kind: "invalid", error: thrownMessage(error) };
      }
    },
  };
}

function statementOf(statements: readonly unknown[]): ParseResult {
  const [first] = statements;
  if (statements.length > 1) return { kind: "several", count: statements.length };
  if (!isNode(first) || !isNode(first.stmt)) return { kind: "invalid", error: "There is no statement." };
  return { kind: "statement", node: first.stmt };
}

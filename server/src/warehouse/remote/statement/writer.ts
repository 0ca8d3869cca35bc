import type { QueryParameter } from "../../contract.ts";
import { rejected } from "../../statement-check/statement-check.ts";
import type { FoundViews } from "../../statement-check/table-views.ts";
import type { RemoteDialect, ScopedTable } from "../contract.ts";
import { Refusal } from "./refusal.ts";
import type { Token } from "./tokens.ts";

/** What a statement may name, and what of it has been written. */
export interface Writer {
  readonly dialect: RemoteDialect;
  readonly scope: readonly ScopedTable[];
  readonly parameters: readonly QueryParameter[];
  /** What stands in the place of a table of which the caller sees a part. */
  readonly selectOf: FoundViews["selectOf"];
  /** Parts of the new statement; a blank is put between them. */
  readonly written: string[];
  /** Tables that it reads. */
  readonly tables: Set<ScopedTable>;
  /** Names of tables, aliases and common table expressions, as `foldedName` compares them. */
  readonly known: Set<string>;
  /** `x` of each `x.column`, looked up at the end: an alias stands behind its use. */
  readonly qualifiers: Set<string>;
}

/** A writer of a new statement that has written nothing yet. */
export function createWriter(base: Pick<Writer, "dialect" | "scope" | "parameters" | "selectOf">): Writer {
  return { ...base, written: [], tables: new Set(), known: new Set(), qualifiers: new Set() };
}

/** A name as names are compared: without case. */
export function foldedName(name: string): string {
  return name.toLowerCase();
}

/** The name that the engine would read. */
export function nameOf({ kind, text }: Token, { fold }: RemoteDialect): string {
  return kind === "word" && fold ? fold(text) : text;
}

/** A name that the statement defines: an alias, or a common table expression. */
export function writeDefinedName(token: Token, writer: Writer): string {
  const name = nameOf(token, writer.dialect);
  writer.known.add(foldedName(name));
  writer.written.push(writer.dialect.quoteName(name));
  return name;
}

/** A text, a number or a parameter: what stands in the new statement is written here. */
export function writeValue({ kind, text }: Token, { dialect, parameters, written }: Writer): void {
  if (kind === "text") written.push(dialect.quoteText(text));
  else if (kind === "number") written.push(text);
  else written.push(parameterSql(text, parameters, dialect));
}

/** Values of parameters are literals of their type. */
function parameterSql(name: string, parameters: readonly QueryParameter[], dialect: RemoteDialect): string {
  const parameter = parameters.find((one) => one.name === name);
  if (!parameter) throw new Refusal(rejected(`@${name}`, "no parameter has that name, and variables are not read"));
  const type = dialect.parameterTypes[parameter.type.toUpperCase()];
  const text = dialect.quoteText(parameter.value);
  return type ? `CAST(${text} AS ${type})` : text;
}

/** The table of the context that a name means, by the end of the client's name or of the name in the database. */
export function tableNamed(parts: readonly string[], { scope }: Writer): ScopedTable {
  const name = parts.join(".");
  const candidates = matching(scope, name, (text) => text);
  const found = candidates.length > 0 ? candidates : matching(scope, name, foldedName);
  if (found.length === 1 && found[0]) return found[0];
  const listed = (found.length > 0 ? found : scope).slice(0, 20).map(({ origin }) => origin.join("."));
  throw new Refusal(
    found.length > 1
      ? { kind: "invalid", error: `Table '${name}' is ambiguous; write one of ${listed.join(", ")}.` }
      : rejected(name, `it is not among the tables of this context: ${listed.join(", ")}`),
  );
}

function matching(scope: Writer["scope"], name: string, spelled: (text: string) => string): readonly ScopedTable[] {
  const isEnd = (whole: readonly string[]) =>
    whole.some((_, at) => spelled(whole.slice(at).join(".")) === spelled(name));
  return scope.filter(({ path, origin }) => isEnd(path) || isEnd(origin));
}

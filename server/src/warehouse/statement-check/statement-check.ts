import type { QueryCheck, TablePath } from "../contract.ts";

/** What a statement check answers: a SELECT that may run, its tables written as whole names; or what is wrong with the statement. */
export type CheckedStatement =
  | { readonly kind: "valid"; readonly sql: string; readonly tables: readonly TablePath[] }
  | Exclude<QueryCheck, { kind: "accepted" }>;

/** A construct that a statement may not contain. */
export type Rejection = Extract<QueryCheck, { kind: "rejected" }>;

/** A table that a statement names, and where its name stands in the text, in bytes. */
export interface NamedTable {
  /** As written, outermost first: one to three parts. */
  readonly parts: readonly string[];
  readonly at: number;
  /** Whether the statement gives it another name. */
  readonly hasAlias: boolean;
}

/** The tables that a parse tree reads, or the first thing in it that is not allowed. */
export type Inspection = { readonly kind: "reads"; readonly tables: readonly NamedTable[] } | Rejection;

/** `construct` as the person who wrote the statement would find it; `reason` completes "construct is not allowed: …". */
export function rejected(construct: string, reason: string): Rejection {
  return { kind: "rejected", construct, reason };
}

/** The rejection of a statement whose names of tables cannot be told from the rest of its text. */
export function notReplaceable(): Rejection {
  return rejected("this statement", "its table names cannot be distinguished from the rest of the text");
}

/** The message of a rejection. */
export function rejectionMessage({ construct, reason }: Rejection): string {
  return `${construct} is not allowed: ${reason}.`;
}

/** A place in a text, both from 1, and what is wrong there. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What a manifest file says, as JSON, or why it cannot be read. `remarks` do not stop an import. */
export type ParsedText =
  | { readonly kind: "parsed"; readonly value: unknown; readonly remarks: readonly SyntaxProblem[] }
  | { readonly kind: "broken"; readonly problems: readonly SyntaxProblem[] };

/** The comparators of AIP-160; `:` is "has". */
export type Comparator = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":";

/** A literal of a filter: its text, and whether it was in quotes. `at` is the 0-based position in the filter. */
export interface Literal {
  readonly kind: "literal";
  readonly text: string;
  readonly quoted: boolean;
  readonly at: number;
}

/** A call such as `ces_transcript.search("refund")`. */
export interface FunctionCall {
  readonly kind: "function";
  readonly name: string;
  readonly args: readonly Literal[];
  readonly at: number;
}

/** `path comparator value`, e.g. `action.agent:*`. */
export interface Restriction {
  readonly kind: "restriction";
  readonly path: readonly string[];
  readonly comparator: Comparator;
  readonly value: Literal;
  readonly at: number;
}

/** A parsed filter. A bare literal searches all fields. */
export type FilterNode =
  | { readonly kind: "and" | "or"; readonly operands: readonly FilterNode[] }
  | { readonly kind: "not"; readonly operand: FilterNode }
  | Restriction
  | Literal
  | FunctionCall;

/** An error in a filter, at a 0-based position. Becomes INVALID_ARGUMENT where the request's field is known. */
export class FilterError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = "FilterError";
    this.at = at;
  }
}

import { type Token, tokenize } from "./lexer.ts";
import { type Comparator, FilterError, type FilterNode, type FunctionCall, type Literal } from "./syntax.ts";

const COMPARATORS: readonly string[] = ["=", "!=", "<", "<=", ">", ">=", ":"];
/** Deeper nesting is an error: anybody can send a filter, and the parser is recursive. */
const MAX_DEPTH = 50;
/** A number or a duration, without its sign. */
const NUMBER = /^\d+s?$/;

/**
 * Parses a filter (AIP-160). OR binds tighter than AND and than a sequence of terms, which reads as AND. Undefined for an empty
 * filter. Throws `FilterError`.
 */
export function parseFilter(filter: string): FilterNode | undefined {
  if (filter.trim() === "") return undefined;
  const parser = new Parser(tokenize(filter));
  const node = parser.expression();
  parser.expectEnd();
  return node;
}

/** The left side of a comparison whose values are being read. */
interface Comparison {
  readonly path: readonly string[];
  readonly comparator: Comparator;
  readonly at: number;
}

/**
 * A recursive descent parser: one method for each rule of AIP-160's grammar, the rule above it. `comparison` is set inside the
 * parentheses of an argument: the same rules apply there, but a simple term is a value, and means a comparison with that value.
 */
class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** `expression : sequence { AND sequence }`, `sequence : factor { factor }`. Both read as AND, so they are one list here. */
  expression(comparison?: Comparison): FilterNode {
    if (++this.#depth > MAX_DEPTH) throw new FilterError("the filter is nested too deeply", this.#peek().at);
    const operands = [this.#factor(comparison)];
    while (this.#takeKind("and") || this.#startsTerm()) operands.push(this.#factor(comparison));
    this.#depth--;
    return combine("and", operands);
  }

  expectEnd(): void {
    const token = this.#peek();
    if (token.kind !== "end") throw unexpected(token);
  }

  /** `factor : term { OR term }` */
  #factor(comparison?: Comparison): FilterNode {
    const operands = [this.#term(comparison)];
    while (this.#takeKind("or")) operands.push(this.#term(comparison));
    return combine("or", operands);
  }

  /** `term : [ NOT | "-" ] simple`. The minus before a number in an argument is the number's sign: `n = (-3 OR 3)`. */
  #term(comparison?: Comparison): FilterNode {
    const isSign = comparison !== undefined && this.#startsNegativeNumber();
    const isNegated = this.#takeKind("not") || (!isSign && this.#takeOperator("-"));
    const operand = this.#simple(comparison);
    return isNegated ? { kind: "not", operand } : operand;
  }

  /** `simple : restriction | composite` */
  #simple(comparison?: Comparison): FilterNode {
    if (this.#isOperator("(")) return this.#composite(comparison);
    return comparison ? this.#valueOfComposite(comparison) : this.#restriction();
  }

  /** `composite : "(" expression ")"` */
  #composite(comparison?: Comparison): FilterNode {
    this.#expectOperator("(");
    const node = this.expression(comparison);
    this.#expectOperator(")");
    return node;
  }

  /** `restriction : comparable [ comparator arg ]`, `comparable : member | function` */
  #restriction(): FilterNode {
    const first = this.#peek();
    const path = this.#member();
    if (this.#startsCall()) return this.#call(path.join("."), first.at);
    const comparator = this.#peek();
    if (!isComparator(comparator)) {
      return { kind: "literal", text: path.join("."), quoted: first.kind === "string", at: first.at };
    }
    this.#index++;
    return this.#argument({ path, comparator: comparator.text as Comparator, at: first.at });
  }

  /** `member : value { "." field }` */
  #member(): readonly string[] {
    const parts = [this.#word()];
    while (this.#takeOperator(".")) parts.push(this.#word());
    return parts;
  }

  /**
   * `arg : comparable | composite`. The comparison applies to each value of a composite: `status = (A OR B)` is
   * `status = A OR status = B`. As everywhere, `!=` is the opposite of `=`: with a composite it holds when `=` does not.
   */
  #argument(comparison: Comparison): FilterNode {
    if (!this.#isOperator("(")) return this.#comparedValue(comparison);
    if (comparison.comparator !== "!=") return this.#composite(comparison);
    return { kind: "not", operand: this.#composite({ ...comparison, comparator: "=" }) };
  }

  /** A simple term in the parentheses of an argument: a value. */
  #valueOfComposite(comparison: Comparison): FilterNode {
    const first = this.#peek();
    if (first.kind === "or" || first.kind === "and") throw missingValue(first);
    const node = this.#comparedValue(comparison);
    const next = this.#peek();
    if (!isComparator(next)) return node;
    const reason = "the parentheses after a comparator hold values only";
    throw new FilterError(`'${next.text}' is not expected here: ${reason}`, next.at);
  }

  /** A comparison with one value. No function of a filter has a value, so a call is an error here. */
  #comparedValue(comparison: Comparison): FilterNode {
    const value = this.#value();
    if (!value.quoted && this.#startsCall())
      throw new FilterError(`a value is expected here, not the function '${value.text}'`, value.at);
    return { kind: "restriction", ...comparison, value };
  }

  /** `function : name { "." name } "(" [ argList ] ")"`, `argList : arg { "," arg }`, where each argument is a value. */
  #call(name: string, at: number): FunctionCall {
    this.#expectOperator("(");
    const args: Literal[] = [];
    while (!this.#isOperator(")")) {
      if (args.length > 0) this.#expectOperator(",");
      if (this.#isOperator("("))
        throw new FilterError("a function takes values, not an expression in parentheses", this.#peek().at);
      args.push(this.#value());
    }
    this.#expectOperator(")");
    return { kind: "function", name, args, at };
  }

  /** `value : TEXT | STRING`: a string, or words and dots without spaces between them (`2.5`, `me@example.com`, `-3`). */
  #value(): Literal {
    const { at, kind } = this.#peek();
    const sign = this.#takeOperator("-") ? "-" : "";
    const parts = [this.#word()];
    while (this.#isOperator(".") && !this.#peek().spaced) {
      this.#index++;
      parts.push(this.#word());
    }
    return { kind: "literal", text: sign + parts.join("."), quoted: kind === "string", at };
  }

  #word(): string {
    const token = this.#peek();
    if (token.kind === "operator" || token.kind === "end") throw missingValue(token);
    this.#index++;
    return token.text;
  }

  #startsTerm(): boolean {
    const { kind } = this.#peek();
    return kind === "text" || kind === "string" || kind === "not" || this.#isOperator("(") || this.#isOperator("-");
  }

  /** A parenthesis that follows a name without a space. */
  #startsCall(): boolean {
    return this.#isOperator("(") && !this.#peek().spaced;
  }

  #startsNegativeNumber(): boolean {
    const next = this.#tokens[this.#index + 1];
    return this.#isOperator("-") && next?.kind === "text" && !next.spaced && NUMBER.test(next.text);
  }

  #peek(): Token {
    // The last token is `end` and is never consumed.
    return this.#tokens[Math.min(this.#index, this.#tokens.length - 1)] as Token;
  }

  #isOperator(text: string): boolean {
    const token = this.#peek();
    return token.kind === "operator" && token.text === text;
  }

  #takeOperator(text: string): boolean {
    const found = this.#isOperator(text);
    if (found) this.#index++;
    return found;
  }

  #takeKind(kind: Token["kind"]): boolean {
    const found = this.#peek().kind === kind;
    if (found) this.#index++;
    return found;
  }

  #expectOperator(text: string): void {
    if (this.#takeOperator(text)) return;
    const token = this.#peek();
    const place = token.kind === "end" ? " at the end" : ` before '${token.text}'`;
    throw new FilterError(`'${text}' is missing${place}`, token.at);
  }
}

function isComparator({ kind, text }: Token): boolean {
  return kind === "operator" && COMPARATORS.includes(text);
}

function missingValue({ kind, text, at }: Token): FilterError {
  return new FilterError(kind === "end" ? "a value is missing at the end" : `a value is missing before '${text}'`, at);
}

function unexpected({ text, at }: Token): FilterError {
  return new FilterError(`'${text}' is not expected here`, at);
}

function combine(kind: "and" | "or", operands: readonly FilterNode[]): FilterNode {
  const [first] = operands;
  return operands.length === 1 && first ? first : { kind, operands };
}

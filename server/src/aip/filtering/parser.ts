import { type Token, tokenize } from "./lexer.ts";
import { type Comparator, FilterError, type FilterNode, type FunctionCall, type Literal } from "./syntax.ts";

const COMPARATORS: readonly string[] = ["=", "!=", "<", "<=", ">", ">=", ":"];
/** Deeper nesting is refused: filters come from strangers. */
const MAX_DEPTH = 50;

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

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  expression(): FilterNode {
    if (++this.#depth > MAX_DEPTH) throw new FilterError("the filter is nested too deeply", this.#peek().at);
    const operands = [this.#factor()];
    while (this.#takeKind("and") || this.#startsTerm()) operands.push(this.#factor());
    this.#depth--;
    return combine("and", operands);
  }

  expectEnd(): void {
    const token = this.#peek();
    if (token.kind !== "end") throw new FilterError(`'${token.text}' is not expected here`, token.at);
  }

  #factor(): FilterNode {
    const operands = [this.#term()];
    while (this.#takeKind("or")) operands.push(this.#term());
    return combine("or", operands);
  }

  #term(): FilterNode {
    if (this.#takeKind("not") || this.#takeOperator("-")) return { kind: "not", operand: this.#simple() };
    return this.#simple();
  }

  #simple(): FilterNode {
    if (!this.#takeOperator("(")) return this.#restriction();
    const node = this.expression();
    this.#expectOperator(")");
    return node;
  }

  #restriction(): FilterNode {
    const first = this.#peek();
    const path = this.#path();
    if (this.#isOperator("(") && !this.#peek().spaced) return this.#call(path.join("."), first.at);
    const comparator = this.#peek();
    if (comparator.kind !== "operator" || !COMPARATORS.includes(comparator.text)) {
      return { kind: "literal", text: path.join("."), quoted: first.kind === "string", at: first.at };
    }
    this.#index++;
    return { kind: "restriction", path, comparator: comparator.text as Comparator, value: this.#value(), at: first.at };
  }

  #path(): readonly string[] {
    const parts = [this.#word()];
    while (this.#takeOperator(".")) parts.push(this.#word());
    return parts;
  }

  #call(name: string, at: number): FunctionCall {
    this.#expectOperator("(");
    const args: Literal[] = [];
    while (!this.#isOperator(")")) {
      if (args.length > 0) this.#expectOperator(",");
      args.push(this.#value());
    }
    this.#expectOperator(")");
    return { kind: "function", name, args, at };
  }

  /** The right side: a string, or words and dots that stand together (`2.5`, `me@example.com`, `-3`). */
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
    if (token.kind === "operator" || token.kind === "end") {
      throw new FilterError(
        token.kind === "end" ? "a value is missing at the end" : `a value is missing before '${token.text}'`,
        token.at,
      );
    }
    this.#index++;
    return token.text;
  }

  #startsTerm(): boolean {
    const token = this.#peek();
    return (
      token.kind === "text" ||
      token.kind === "string" ||
      token.kind === "not" ||
      this.#isOperator("(") ||
      this.#isOperator("-")
    );
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
    throw new FilterError(
      `'${text}' is missing${token.kind === "end" ? " at the end" : ` before '${token.text}'`}`,
      token.at,
    );
  }
}

function combine(kind: "and" | "or", operands: readonly FilterNode[]): FilterNode {
  const [first] = operands;
  return operands.length === 1 && first ? first : { kind, operands };
}

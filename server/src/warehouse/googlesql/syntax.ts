import { type Token, UntranslatableError } from "./tokens.ts";

/** A token, or everything between a pair of brackets. */
export type Node = Token | Group;

export interface Group {
  readonly kind: "group";
  readonly open: "(" | "[";
  readonly items: readonly Node[];
  readonly space: boolean;
}

const CLOSING = { "(": ")", "[": "]" } as const;

/** Groups the tokens between brackets. */
export function groupBrackets(tokens: readonly Token[]): readonly Node[] {
  const stack: { open: "(" | "["; items: Node[]; space: boolean }[] = [{ open: "(", items: [], space: false }];
  for (const token of tokens) {
    const current = stack.at(-1);
    if (!current) break;
    if (token.kind === "mark" && (token.text === "(" || token.text === "[")) {
      stack.push({ open: token.text, items: [], space: token.space });
    } else if (token.kind === "mark" && (token.text === ")" || token.text === "]")) {
      if (stack.length === 1 || CLOSING[current.open] !== token.text)
        throw new UntranslatableError(token.text, "a bracket is closed that is not open");
      stack.pop();
      stack.at(-1)?.items.push({ kind: "group", ...current });
    } else current.items.push(token);
  }
  const [root, open] = stack;
  if (!root || open) throw new UntranslatableError(open?.open ?? "(", "a bracket is not closed");
  return root.items;
}

/** The arguments of a call, which commas separate. */
export function splitArguments({ items }: Group): readonly (readonly Node[])[] {
  if (items.length === 0) return [];
  const parts: Node[][] = [[]];
  for (const item of items) {
    if (isMark(item, ",")) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

/** Whether a node is this punctuation mark. */
export function isMark(node: Node | undefined, text: string): boolean {
  return node?.kind === "mark" && node.text === text;
}

/** Whether a node is one of these keywords or names, in any case. */
export function isWord(node: Node | undefined, ...words: readonly string[]): boolean {
  return node?.kind === "word" && words.includes(node.text.toUpperCase());
}

/** Whether a node is a group in these brackets. */
export function isGroup(node: Node | undefined, open: Group["open"]): node is Group {
  return node?.kind === "group" && node.open === open;
}

/** The text of a word; "" for anything else. */
export function wordOf(node: Node | undefined): string {
  return node?.kind === "word" ? node.text : "";
}

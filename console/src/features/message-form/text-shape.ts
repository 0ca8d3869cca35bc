import type { CodeLanguage } from "../code-editor/code-language.ts";

/** How a text is entered: on lines of a field, or in an editor of its language. */
export type TextShape =
  | { readonly kind: "line"; readonly lines?: number }
  | { readonly kind: "code"; readonly language: CodeLanguage };

const CODE: Readonly<Record<string, CodeLanguage>> = {
  python_code: "python",
  python_script: "python",
  open_api_schema: "yaml",
  instruction: "instruction",
  global_instruction: "instruction",
};
const LONG =
  /^(description|prompt|text|expression|personality|tls_certificate|banned_contents\w*|generated_summary|.*_prompt)$/;

/** The shape of a text, from its field's name and from what is in it already. */
export function textShape(name: string, text: string): TextShape {
  const language = CODE[name];
  if (language) return { kind: "code", language };
  if (LONG.test(name) || text.includes("\n")) return { kind: "line", lines: text.length > 400 ? 10 : 3 };
  return { kind: "line" };
}

/** What is written in an editor: decides colours, completions and checks. */
export type CodeLanguage = "python" | "json" | "yaml" | "instruction" | "text";

/** Something wrong with a text. Lines and columns count from 1; line 0 is the text as a whole. */
export interface CodeProblem {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly severity: "error" | "warning";
}

/** Names that an instruction can refer to. */
export interface Names {
  readonly agents: readonly Named[];
  readonly tools: readonly Named[];
  readonly variables: readonly Named[];
}

/** A name and its description. */
export interface Named {
  readonly name: string;
  readonly description: string;
}

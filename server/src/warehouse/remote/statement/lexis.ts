import type { Lexis } from "../contract.ts";

/** Texts in single quotes, names in double ones, as standard SQL has them. */
export const STANDARD_LEXIS: Lexis = {
  texts: "'",
  backslashes: false,
  names: '"',
  hashComments: false,
  spacedDashes: false,
  operators: ["||"],
};

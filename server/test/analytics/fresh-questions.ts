/** A question in plain English and the same asked in SQL by hand; columns go by position, rows by the order that is asked for. */
export type Right = readonly (readonly [question: string, sql: string])[];
/** A question beyond what the rules read, and what they say of it: a wrong number must never stand there without a word. */
export type Told = readonly (readonly [question: string, words: RegExp])[];

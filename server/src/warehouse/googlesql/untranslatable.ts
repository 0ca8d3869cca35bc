/** A construct of GoogleSQL that has no counterpart in DuckDB, or one that would answer something else. */
export class Untranslatable extends Error {
  override readonly name = "Untranslatable";
  readonly construct: string;

  constructor(construct: string, reason: string) {
    super(reason);
    this.construct = construct;
  }
}

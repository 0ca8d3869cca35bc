import type { QueryCheck } from "../../contract.ts";

/** Ends the reading of a statement. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly check: Exclude<QueryCheck, { kind: "accepted" }>;

  constructor(check: Refusal["check"]) {
    super(check.kind === "invalid" ? check.error : check.reason);
    this.check = check;
  }
}

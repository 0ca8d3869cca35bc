/** By how much this clock is ahead of those of servers outside this machine that answered, milliseconds. */
export type ClockOffsets = number[];

/** What a check of the machine found. */
export interface Finding {
  /** What was checked, e.g. `database`. */
  readonly name: string;
  readonly state: "ok" | "warning" | "fault";
  /** One sentence, or part of one, without a full stop. */
  readonly detail: string;
  /** What to do; undefined when there is nothing to do. */
  readonly fix?: string;
}

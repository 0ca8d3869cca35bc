import { textInAddress } from "../../api/text-in-address.ts";

/** What the address of a stored conversation says of the page: the turn and the span that are shown. */
export interface TurnSearch {
  /** From 1, as the page counts turns. Absent: the first turn that failed, else the first. */
  readonly turn?: number | undefined;
  /** Path of the span in the trace of the turn, e.g. `0.2`. Absent: the first that failed, else the first. */
  readonly span?: string | undefined;
}

/** Reads the search part of such an address; what is no turn or no span is left out. */
export function readTurnSearch({ turn, span }: Record<string, unknown>): TurnSearch {
  const number = Number(turn);
  return { turn: Number.isInteger(number) && number > 0 ? number : undefined, span: textInAddress(span) };
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The search of the list of conversations that this page was opened from, as its address has it. */
    readonly list?: Readonly<Record<string, unknown>>;
    /** In which direction of that list this page was opened from another conversation. */
    readonly step?: "previous" | "next";
  }
}

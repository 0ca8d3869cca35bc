import { textInAddress } from "../../api/text-in-address.ts";
import { type EditSearch, readEditSearch } from "../resources/use-tab.ts";

/** The query parameters of the page of an evaluation. */
interface EvaluationSearch extends EditSearch {
  /** Id of the conversation beside it. */
  readonly conversation?: string;
}

/** Reads the query of the page of an evaluation; anything else in it is left out. */
export function readEvaluationSearch(search: Record<string, unknown>): EvaluationSearch {
  return { ...readEditSearch(search), conversation: textInAddress(search.conversation) };
}

/** The query parameters of the page of a run. */
interface RunSearch {
  /** Id of the run that it is compared with. */
  readonly against?: string;
}

/** Reads the query of the page of a run; anything else in it is left out. */
export function readRunSearch({ against }: Record<string, unknown>): RunSearch {
  return { against: textInAddress(against) };
}

/** What came of the last run of an evaluation: of its repeats some failed, none failed and some were measured, none was measured, or it never ran. */
const LAST_RUNS = ["failed", "passed", "not-measured", "not-run"] as const;
export type LastRun = (typeof LAST_RUNS)[number];

/** Which evaluations a list shows: the query parameters of its page. Absent: all. */
export interface EvaluationsSearch {
  /** Words in the name, id, description or tags, in any order and case. */
  readonly words?: string;
  readonly tag?: string;
  readonly last?: LastRun;
}

/** Reads the query of the page of evaluations; anything else in it is left out. */
export function readEvaluationsSearch({ words, tag, last }: Record<string, unknown>): EvaluationsSearch {
  return { words: textInAddress(words), tag: textInAddress(tag), last: LAST_RUNS.find((known) => known === last) };
}

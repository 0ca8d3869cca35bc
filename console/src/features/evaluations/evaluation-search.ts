import { type EditSearch, readEditSearch } from "../resources/use-tab.ts";

/** The query parameters of the page of an evaluation. */
interface EvaluationSearch extends EditSearch {
  /** Id of the conversation beside it. */
  readonly conversation?: string;
}

/** Reads the query of the page of an evaluation; anything else in it is left out. */
export function readEvaluationSearch(search: Record<string, unknown>): EvaluationSearch {
  return { ...readEditSearch(search), conversation: idOf(search.conversation) };
}

/** The query parameters of the page of a run. */
interface RunSearch {
  /** Id of the run that it is compared with. */
  readonly against?: string;
}

/** Reads the query of the page of a run; anything else in it is left out. */
export function readRunSearch({ against }: Record<string, unknown>): RunSearch {
  return { against: idOf(against) };
}

/** The router reads an id of digits as a number. */
function idOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

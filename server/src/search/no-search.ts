import { type Search, SearchError } from "./contract.ts";

/** A search that finds nothing, for where there is none: a replay, a single file of Python. */
export const noSearch: Search = {
  stores: refuse,
  files: refuse,
  web: refuse,
  problems: () => [],
  warm: () => {},
  close: async () => {},
};

function refuse(): Promise<never> {
  return Promise.reject(new SearchError("Nothing can be searched here: this process was started without search."));
}

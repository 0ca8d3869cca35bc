import { useNavigate, useSearch } from "@tanstack/react-router";

/** The query parameters of an edit page: the open tab, and the position within it. */
export interface EditSearch {
  readonly tab?: string;
  /** The item that is open within the view, e.g. `before_model_callbacks[0]`. */
  readonly at?: string;
  /** The line of its code that is meant, from 1. */
  readonly line?: number;
  /** Words that are searched in a list. */
  readonly find?: string;
}

/** Reads the search part of such an address; anything else in it is left out. */
export function readEditSearch({ tab, at, line, find }: Record<string, unknown>): EditSearch {
  return {
    tab: typeof tab === "string" ? tab : undefined,
    at: typeof at === "string" ? at : undefined,
    line: typeof line === "number" ? line : undefined,
    find: find === undefined || find === "" ? undefined : String(find),
  };
}

/** The open view, stored in the address, so that it survives a reload and can be shared. */
export function useTab(first: string): readonly [string, (tab: string) => void] {
  const { tab = first } = useSearch({ strict: false });
  const navigate = useNavigate();
  return [tab, (next) => void navigate({ to: ".", search: { tab: next }, replace: true })];
}

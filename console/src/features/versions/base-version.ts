import { useNavigate, useSearch } from "@tanstack/react-router";
import { DRAFT } from "./use-snapshot.ts";

/** The query parameters of the page of a version. */
interface VersionSearch {
  /** Id of the base version; absent: the draft. */
  readonly base?: string;
}

/** Reads the query of the address; anything else in it is left out. */
export function readVersionSearch({ base }: Record<string, unknown>): VersionSearch {
  // The router reads an id of digits as a number.
  return typeof base === "string" || typeof base === "number" ? { base: String(base) } : {};
}

/** Id of the version that this one is compared with, or `DRAFT`, and its setter. It is in the address, so a link shows the same comparison. */
export function useBaseVersion(): readonly [string, (base: string) => void] {
  const { base = DRAFT } = useSearch({ strict: false });
  const navigate = useNavigate();
  const setBase = (next: string) =>
    void navigate({ to: ".", search: next === DRAFT ? {} : { base: next }, replace: true });
  return [base, setBase];
}

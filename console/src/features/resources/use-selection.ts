import { useCallback, useState } from "react";

/** What is selected of a list, by name; also what the list does not show at the moment. */
interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** The same function at each render. */
  readonly choose: (name: string, isChosen: boolean) => void;
  /** Selects these and no others. */
  readonly set: (names: Iterable<string>) => void;
  /** Selects these no more. */
  readonly drop: (names: readonly string[]) => void;
}

/** Keeps what is selected of a list. */
export function useSelection(begun: ReadonlySet<string> = NOTHING): Selection {
  const [chosen, setChosen] = useState(begun);
  const choose = useCallback(
    (name: string, isChosen: boolean) =>
      setChosen((before) => (isChosen ? new Set([...before, name]) : without(before, [name]))),
    [],
  );
  return {
    chosen,
    choose,
    set: (names) => setChosen(new Set(names)),
    drop: (names) => setChosen((before) => without(before, names)),
  };
}

const NOTHING: ReadonlySet<string> = new Set();

function without(chosen: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
  return chosen.difference(new Set(names));
}

import { useCallback, useState } from "react";

interface Selection {
  /** Names of the rows whose boxes are checked, hidden ones included. */
  readonly chosen: ReadonlySet<string>;
  /** Checks or clears the box of a row; the same function at each render, so that tables need not draw again. */
  readonly choose: (name: string, isChosen: boolean) => void;
  /** Selects these and nothing else. */
  readonly select: (names: Iterable<string>) => void;
}

/** What is selected of a list with a box in each row. */
export function useSelection(begun?: ReadonlySet<string>): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(begun ?? new Set());
  const choose = useCallback(
    (name: string, isChosen: boolean) =>
      setChosen((before) => new Set(isChosen ? [...before, name] : [...before].filter((other) => other !== name))),
    [],
  );
  return { chosen, choose, select: (names) => setChosen(new Set(names)) };
}

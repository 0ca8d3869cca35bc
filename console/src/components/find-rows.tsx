import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { TypedField } from "./typed-field.tsx";
import { wordFinder } from "./word-finder.ts";

/** Shorter lists are read faster than searched. */
const FEWEST = 10;

/** Rows of a list by words of their text. */
interface FoundRows<Row> {
  readonly rows: readonly Row[] | undefined;
  /** The words, "" for every row. */
  readonly find: string;
  /** Whether the list is searched, or long enough to be. */
  readonly offered: boolean;
}

/** The rows whose text has all words of the search in the address, in any case. `textOf` absent: every row. */
export function useFoundRows<Row>(
  rows: readonly Row[] | undefined,
  textOf: ((row: Row) => string) | undefined,
): FoundRows<Row> {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const find = textOf && search.find !== undefined ? String(search.find) : "";
  const found = useMemo(() => {
    if (!textOf || find.trim() === "") return rows;
    const isFound = wordFinder(find);
    return rows?.filter((row) => isFound(textOf(row)));
  }, [rows, textOf, find]);
  return { rows: found, find, offered: textOf !== undefined && (find !== "" || (rows?.length ?? 0) > FEWEST) };
}

interface FindFieldProps {
  /** What is found, in the plural: "agents". */
  readonly subject: string;
  readonly find: string;
  readonly found: number;
  readonly all: number;
}

/** Where the words are typed, and how many rows have them. The address holds the words, so that Back returns to what was found. */
export function FindField({ subject, find, found, all }: FindFieldProps) {
  const navigate = useNavigate();
  return (
    <search className="find-rows">
      <TypedField
        label={`Find ${subject}`}
        value={find}
        onChange={(next) =>
          void navigate({
            to: ".",
            search: (now: object) => ({ ...now, find: next || undefined }) as never,
            replace: true,
          })
        }
      />
      <span className="muted" role="status">
        {find === "" ? `${all.toLocaleString()} ${subject}` : `${found.toLocaleString()} of ${all.toLocaleString()}`}
      </span>
    </search>
  );
}

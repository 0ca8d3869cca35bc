import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { useKeptFocus } from "../../components/kept-focus.ts";
import "../../styles/selection-bar.css";

interface SelectionBarProps {
  /** What is shown, in words, where no other line of the page says it. */
  readonly children?: ReactNode;
  /** How many are shown, and how many are selected, hidden ones included. */
  readonly shown: number;
  readonly selected: number;
  /** Selects all that are shown. */
  readonly onAll: () => void;
  readonly onClear: () => void;
  /** What can be done with the selection. */
  readonly actions?: ReactNode;
}

/** A line above a table with a box in each row: what is selected, all at a press, and what can be done with it. */
export function SelectionBar({ children, shown, selected, onAll, onClear, actions }: SelectionBarProps) {
  const kept = useKeptFocus<HTMLDivElement>();
  return (
    <div className="row wrap selection-bar" {...kept}>
      <span role="status">
        {children}
        {selected > 0 && `${children ? ", " : ""}${selected.toLocaleString()} selected`}
      </span>
      {shown > 0 && selected < shown && (
        <Button small onPress={onAll}>
          Select all {shown.toLocaleString()}
        </Button>
      )}
      {selected > 0 && (
        <>
          <Button small onPress={onClear}>
            Clear selection
          </Button>
          {actions}
        </>
      )}
    </div>
  );
}

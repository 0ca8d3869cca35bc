import { Check } from "lucide-react";
import { Checkbox as AriaCheckbox } from "react-aria-components";

interface CheckboxProps {
  readonly selected: boolean;
  readonly onChange: (selected: boolean) => void;
  /** What is chosen; its words are heard and not seen, because it stands beside what it chooses. */
  readonly label: string;
}

/** Chooses one thing of several. */
export function Checkbox({ selected, onChange, label }: CheckboxProps) {
  return (
    <AriaCheckbox className="checkbox" isSelected={selected} onChange={onChange} aria-label={label}>
      <span className="box">{selected && <Check size={13} aria-hidden="true" />}</span>
    </AriaCheckbox>
  );
}

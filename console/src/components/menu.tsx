import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

/** One action of a menu. */
interface MenuEntry {
  readonly id: string;
  readonly label: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onAction: () => void;
}

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

/** A few actions behind one button. */
export function Menu({ trigger, label, entries }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement="bottom end">
        <AriaMenu aria-label={label} style={{ outline: "none" }}>
          {entries.map(({ id, label: name, danger, disabled, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              className={danger ? "option danger" : "option"}
              isDisabled={disabled ?? false}
              onAction={onAction}
            >
              {name}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

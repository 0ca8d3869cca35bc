import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { moveItem, removeItem } from "./list-items.ts";

interface ItemActionsProps<Item> {
  /** What an item is, e.g. "message". */
  readonly one: string;
  readonly items: readonly Item[];
  readonly at: number;
  readonly onChange: (next: readonly Item[]) => void;
}

/** Moves an item of a list or removes it. */
export function ItemActions<Item>({ one, items, at, onChange }: ItemActionsProps<Item>) {
  return (
    <WhileEditing>
      <div className="form-item-actions">
        <IconButton
          small
          label={`Move ${one} ${at + 1} up`}
          isDisabled={at === 0}
          onPress={() => onChange(moveItem(items, at, at - 1))}
        >
          <ArrowUp size={14} aria-hidden="true" />
        </IconButton>
        <IconButton
          small
          label={`Move ${one} ${at + 1} down`}
          isDisabled={at === items.length - 1}
          onPress={() => onChange(moveItem(items, at, at + 1))}
        >
          <ArrowDown size={14} aria-hidden="true" />
        </IconButton>
        <IconButton small label={`Remove ${one} ${at + 1}`} onPress={() => onChange(removeItem(items, at))}>
          <Trash2 size={14} aria-hidden="true" />
        </IconButton>
      </div>
    </WhileEditing>
  );
}

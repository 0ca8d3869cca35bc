import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../../../components/button.tsx";

interface PartListProps<Item> {
  readonly label: string;
  /** The button that adds an item. */
  readonly add: string;
  readonly items: readonly Item[];
  /** What is added; undefined where there is nothing more to add. */
  readonly next: Item | undefined;
  readonly onChange: (items: readonly Item[]) => void;
  /** The fields of an item. */
  readonly children: (item: Item, change: (item: Item) => void, at: number) => ReactNode;
}

/** Items of one kind, each changed, removed or added by itself. */
export function PartList<Item>({ label, add, items, next, onChange, children }: PartListProps<Item>) {
  return (
    <fieldset className="query-part">
      <legend>{label}</legend>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity while they are chosen
        <div key={at} className="query-item">
          {children(item, (changed) => onChange(items.map((other, place) => (place === at ? changed : other))), at)}
          <IconButton
            label={`Remove from ${label.toLowerCase()}: ${at + 1}`}
            onPress={() => onChange(items.filter((_, place) => place !== at))}
          >
            <Trash2 size={15} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {next !== undefined && (
        <div>
          <Button small tone="plain" onPress={() => onChange([...items, next])}>
            <Plus size={15} aria-hidden="true" /> {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

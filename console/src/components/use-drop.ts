import { type DragEvent, useState } from "react";

/** What an element needs that files are dropped on; buttons beside it do the same for those who do not drag. */
export function useDrop(onDrop: (dropped: DataTransfer) => void) {
  const [over, setOver] = useState(false);
  return {
    "data-over": over,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      onDrop(event.dataTransfer);
    },
  };
}

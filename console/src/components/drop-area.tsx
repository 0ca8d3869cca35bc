import { type DragEvent, type ReactNode, useState } from "react";
import "../styles/drop-area.css";

interface DropAreaProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** Which files are taken. */
  readonly hint: string;
  readonly onDrop: (dropped: DataTransfer) => void;
  /** Buttons that do the same for those who do not drag. */
  readonly children: ReactNode;
}

/** Where files are dropped, or chosen with a button. */
export function DropArea({ icon, title, hint, onDrop, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  return (
    <section
      className="drop-area"
      aria-label={title}
      data-over={over}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer);
      }}
    >
      {icon}
      <div className="drop-area-words">
        <p className="drop-area-title">{title}</p>
        <p className="muted">{hint}</p>
      </div>
      <div className="row wrap">{children}</div>
    </section>
  );
}

import type { ReactNode } from "react";

/** Something said, by the person or by an agent whose name stands above it. */
export function Bubble({
  side,
  name,
  children,
}: {
  readonly side: "user" | "agent";
  readonly name?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={`bubble ${side}`}>
      {name && <span className="speaker">{name}</span>}
      <p>{children}</p>
    </div>
  );
}

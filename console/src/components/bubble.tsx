import type { ReactNode } from "react";

/** A message of the user, or of an agent whose name is shown above it. */
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
      {/* Arabic and Hebrew have their own direction, which is that of the first letter. */}
      <p dir="auto">{children}</p>
    </div>
  );
}

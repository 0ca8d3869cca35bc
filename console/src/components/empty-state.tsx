import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  /** What would be here, in one sentence. */
  readonly children: ReactNode;
  /** The next step: a button or a link. */
  readonly action?: ReactNode;
}

/** A place with nothing in it yet says what belongs there and how it gets there. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <section className="empty-state">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </section>
  );
}

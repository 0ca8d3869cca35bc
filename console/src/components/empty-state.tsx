import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  /** What would be here, in one sentence. */
  readonly children: ReactNode;
  /** The next step: a button or a link. */
  readonly action?: ReactNode;
}

/** Shown in place of an empty list: what belongs there, and the next step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <section className="empty-state">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </section>
  );
}

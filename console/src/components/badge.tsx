import type { ReactNode } from "react";

interface BadgeProps {
  readonly tone?: "neutral" | "success" | "error" | "warning";
  readonly children: ReactNode;
}

/** A short state or count beside a name. */
export function Badge({ tone = "neutral", children }: BadgeProps) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

import type { ReactNode } from "react";
import type { Refusal } from "../api/refusal.ts";

/** A page or panel with nothing to show but a sentence. */
export function Notice({
  title,
  refusal,
  children,
}: {
  readonly title: string;
  readonly refusal?: Refusal;
  readonly children?: ReactNode;
}) {
  return (
    <section className="notice" role={refusal ? "alert" : "status"}>
      <h2>{title}</h2>
      {refusal && (
        <p>
          {refusal.message} <code>{refusal.code}</code>
        </p>
      )}
      {children && <p>{children}</p>}
    </section>
  );
}

import type { ReactNode } from "react";
import { Heading } from "./heading.tsx";

interface PageProps {
  readonly title: ReactNode;
  /** What can be done with the page as a whole. */
  readonly actions?: ReactNode;
  /** Lines of reading length instead of the whole width. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

/** A page: its title, its actions, its body. */
export function Page({ title, actions, narrow = false, children }: PageProps) {
  return (
    <>
      <header className="page-head">
        <Heading>{title}</Heading>
        {actions && <div className="end">{actions}</div>}
      </header>
      <div className={narrow ? "page-body narrow" : "page-body"}>{children}</div>
    </>
  );
}

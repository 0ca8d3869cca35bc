import type { ReactNode } from "react";
import "../styles/components/description-list.css";

/** One thing that is so. */
export interface DescriptionItem {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and what they are, one a row; nothing where there are none. */
export function DescriptionList({ facts }: { readonly facts: readonly DescriptionItem[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="description-list">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

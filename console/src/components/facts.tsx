import type { ReactNode } from "react";
import "../styles/facts.css";

/** One thing that is so. */
export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and what they are, one a row; nothing where there are none. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ReactNode } from "react";

/** One thing that is so. */
export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** A card of things that are so. */
export function FactList({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <section className="card fact-list">
      <h2>{title}</h2>
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

import { type Fact, Facts } from "../../components/facts.tsx";

/** A card of things that are so. */
export function FactList({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <section className="card fact-list">
      <h2>{title}</h2>
      <Facts facts={facts} />
    </section>
  );
}

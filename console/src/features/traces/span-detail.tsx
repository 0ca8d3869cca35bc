import type { SpanRow } from "./span-rows.ts";

/** What a span recorded, one attribute a row; texts as they are, everything else as JSON. */
export function SpanDetail({ row }: { readonly row: SpanRow }) {
  const attributes = Object.entries(row.span.attributes ?? {});
  return (
    <section className="detail" aria-label={`Span ${row.span.name}`}>
      <h3>
        {row.span.name} {row.label && <em>{row.label}</em>}
      </h3>
      {attributes.length === 0 ? (
        <p className="empty">Nothing more was recorded for this span.</p>
      ) : (
        <dl>
          {attributes.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <pre>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

import type { SpanRow } from "./span-rows.ts";

interface WaterfallProps {
  readonly rows: readonly SpanRow[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

/** Spans over time: when each began, how long it took, what it was. */
export function Waterfall({ rows, chosen, onChoose }: WaterfallProps) {
  return (
    <ol className="waterfall">
      {rows.map((row) => (
        <li key={row.key}>
          <button
            type="button"
            className={row.key === chosen ? "span chosen" : "span"}
            onClick={() => onChoose(row.key)}
            aria-pressed={row.key === chosen}
          >
            <span className="span-name" style={{ paddingInlineStart: `${row.depth * 0.9}rem` }}>
              <i className={row.failed ? "dot failed" : "dot"} data-kind={row.kind} />
              {row.span.name}
              <em>{row.label}</em>
            </span>
            <span className="track">
              <span
                className={row.failed ? "bar-fill failed" : "bar-fill"}
                data-kind={row.kind}
                style={{
                  left: `${Math.min(row.from * 100, 99.5)}%`,
                  width: `max(2px, ${Math.min(row.share, 1 - row.from) * 100}%)`,
                }}
              />
            </span>
            <span className="took">{row.took < 10 ? row.took.toFixed(1) : row.took.toFixed(0)} ms</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

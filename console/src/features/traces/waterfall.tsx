import { type KeyboardEvent, useRef } from "react";
import { type SpanRow, timeText } from "./span-rows.ts";
import "../../styles/traces/waterfall.css";

interface WaterfallProps {
  readonly rows: readonly SpanRow[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

/** Spans over time: when each began, how long it took, what it was. Arrow keys go up and down. */
export function Waterfall({ rows, chosen, onChoose }: WaterfallProps) {
  const list = useRef<HTMLOListElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = rows.findIndex(({ key }) => key === chosen) + step;
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
    if (!row) return;
    onChoose(row.key);
    list.current?.querySelectorAll("button")[rows.indexOf(row)]?.focus();
  };
  return (
    <ol className="waterfall" ref={list} onKeyDown={onKeyDown} aria-label="Spans of the turn">
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
              <em title={row.label}>{row.label}</em>
              {row.failed && <span className="visually-hidden">, failed</span>}
            </span>
            <span className="track">
              <span
                className={row.failed ? "bar-fill failed" : "bar-fill"}
                data-kind={row.kind}
                style={{
                  left: `${Math.min(row.from * 100, 99.5)}%`,
                  width: `max(2px, ${Math.max(0, Math.min(row.share, 1 - row.from)) * 100}%)`,
                }}
              />
            </span>
            <span className="took">{timeText(row.took)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

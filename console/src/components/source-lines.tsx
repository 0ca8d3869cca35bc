import "../styles/components/source-lines.css";

interface SourceLinesProps {
  readonly code: string;
  /** The line that is marked, from 1; 0 = none. */
  readonly marked: number;
  /** Shown below the marked line. */
  readonly note?: string | undefined;
  readonly label: string;
}

/** Lines shown around the marked one. */
const AROUND = 8;

/** Code with line numbers and one marked line with a note. */
export function SourceLines({ code, marked, note, label }: SourceLinesProps) {
  const lines = code.replace(/\n$/, "").split("\n");
  const from = marked > 0 ? Math.max(0, marked - 1 - AROUND) : 0;
  const shown = lines.slice(from, marked > 0 ? marked + AROUND : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="source" aria-label={label} tabIndex={0}>
      <ol start={from + 1} style={{ counterReset: `line ${from}` }}>
        {shown.map((text, at) => {
          const number = from + at + 1;
          return (
            <li key={number} className={number === marked ? "marked" : ""}>
              <code>{text || " "}</code>
              {number === marked && note && <p className="source-note">{note}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

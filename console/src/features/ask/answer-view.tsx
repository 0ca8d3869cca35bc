import { Download } from "lucide-react";
import { lazy, type MouseEvent, Suspense, useState } from "react";
import type { View } from "vega";
import { VegaChart } from "../../charts/vega-chart.tsx";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import type { Answer, Piece } from "./answer.ts";
import { SOURCE_PREFIX } from "./cited-text.ts";
import { download, toCsv } from "./download.ts";
import { RowsTable } from "./rows-table.tsx";

const Markdown = lazy(() => import("../../components/markdown.tsx"));

interface AnswerViewProps {
  readonly answer: Answer;
  /** Whether more of it is on its way. */
  readonly running: boolean;
  readonly onAsk: (question: string) => void;
}

/** A question and its answer: what was thought is folded, what was found is shown. */
export function AnswerView({ answer, running, onAsk }: AnswerViewProps) {
  return (
    <article className="answer" aria-label={answer.question} data-status={running ? "running" : "done"}>
      <h2 className="question">{answer.question}</h2>
      {answer.pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
        <PieceView key={at} piece={piece} />
      ))}
      {running && <Busy>{answer.progress || "Reading the question"}</Busy>}
      {answer.followUps.length > 0 && !running && (
        <section className="row wrap" aria-label="What to ask next">
          {answer.followUps.map((question) => (
            <Button key={question} small onPress={() => onAsk(question)}>
              {question}
            </Button>
          ))}
        </section>
      )}
    </article>
  );
}

function PieceView({ piece }: { readonly piece: Piece }) {
  switch (piece.kind) {
    case "thought":
      return piece.text ? (
        <details className="thought">
          <summary>{piece.title}</summary>
          <p>{piece.text}</p>
        </details>
      ) : (
        <p className="thought">{piece.title}</p>
      );
    case "matched":
      return (
        <p>
          <Badge tone="good">Verified query</Badge> {piece.question}
        </p>
      );
    case "sql":
      return (
        <details className="thought">
          <summary>SQL</summary>
          <CodeBlock text={piece.sql} label="the SQL" wrapped />
        </details>
      );
    case "rows":
      return (
        <div className="stack tight">
          <RowsTable rows={piece.rows} />
          <div>
            <Button
              small
              tone="plain"
              onPress={() => download(`${piece.rows.name}.csv`, "text/csv", toCsv(piece.rows))}
            >
              <Download size={15} aria-hidden="true" /> Rows as CSV
            </Button>
          </div>
        </div>
      );
    case "chart":
      return <ChartPiece config={piece.config} title={piece.title} />;
    case "analysis":
      return (
        <details className="thought" open={piece.label === "Finding"}>
          <summary>{piece.label}</summary>
          {piece.code ? <CodeBlock text={piece.text} wrapped /> : <p>{piece.text}</p>}
        </details>
      );
    case "error":
      return <Banner tone="warning">{piece.text}</Banner>;
    case "text":
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
        <div className="told" onClick={showSource}>
          <Suspense fallback={<p>{piece.text}</p>}>
            <Markdown text={piece.text} />
          </Suspense>
          {piece.citation && <Sources citation={piece.citation} />}
        </div>
      );
  }
}

/** A mark leads to the source below its own text; the same number stands in other answers, too. */
function showSource(event: MouseEvent<HTMLElement>): void {
  const target = event.target instanceof Element ? event.target.closest(`a[href^="${SOURCE_PREFIX}"]`) : null;
  if (!target) return;
  event.preventDefault();
  const source = event.currentTarget.querySelector(`[data-source="${target.getAttribute("href")}"]`);
  source?.scrollIntoView({ block: "nearest" });
  source?.animate([{ background: "var(--accent-soft)" }, {}], { duration: 1_500 });
}

function ChartPiece({ config, title }: { readonly config: object; readonly title: string }) {
  const [view, setView] = useState<View>();
  const saveSvg = async () => {
    if (view) download(`${title}.svg`, "image/svg+xml", await view.toSVG());
  };
  const savePng = async () => {
    if (view) download(`${title}.png`, "image/png", await pngOf(view));
  };
  return (
    <div className="stack tight">
      <VegaChart config={config} label={title} onView={setView} />
      <div className="row wrap">
        <Button small tone="plain" isDisabled={!view} onPress={() => void saveSvg()}>
          <Download size={15} aria-hidden="true" /> Chart as SVG
        </Button>
        <Button small tone="plain" isDisabled={!view} onPress={() => void savePng()}>
          <Download size={15} aria-hidden="true" /> Chart as PNG
        </Button>
      </div>
    </div>
  );
}

/** Twice as many pixels as on screen, for paper and slides. */
const PICTURE_SCALE = 2;

async function pngOf(view: View): Promise<Blob> {
  const canvas = await view.toCanvas(PICTURE_SCALE);
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png");
  return promise;
}

type Citation = NonNullable<Extract<Piece, { kind: "text" }>["citation"]>;

/** The sources that the marks of a text lead to; each answer's list is its own. */
function Sources({ citation }: { readonly citation: Citation }) {
  return (
    <ol className="sources" aria-label="Sources">
      {citation.sources.map(({ id, title, sourceType }, at) => (
        <li key={id} data-source={`${SOURCE_PREFIX}${at + 1}`}>
          <Badge>{SOURCE_NAMES[sourceType.case ?? "uri"]}</Badge> <SourceName title={title} source={sourceType} />
        </li>
      ))}
    </ol>
  );
}

const SOURCE_NAMES = { exampleQuery: "Verified query", glossaryTerm: "Glossary", uri: "Source" } as const;

function SourceName({
  title,
  source,
}: {
  readonly title: string;
  readonly source: Citation["sources"][number]["sourceType"];
}) {
  if (source.case === "glossaryTerm") return `${title}: ${source.value.description}`;
  if (source.case === "uri" && /^https?:/.test(source.value)) {
    return (
      <a href={source.value} target="_blank" rel="noreferrer noopener">
        {title || source.value}
      </a>
    );
  }
  return title;
}

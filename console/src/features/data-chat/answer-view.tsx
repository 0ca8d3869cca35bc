import { Download } from "lucide-react";
import { lazy, type MouseEvent, Suspense, useState } from "react";
import type { View } from "vega";
import { VegaChart } from "../../charts/vega-chart.tsx";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { download } from "../../components/download.ts";
import { Loading } from "../../components/loading.tsx";
import type { Answer, AnswerPart } from "./answer.ts";
import { PinAnswer } from "./board.tsx";
import { SOURCE_PREFIX } from "./cited-text.ts";
import { DownloadRows } from "./download-rows.tsx";
import { EditStatement } from "./edit-statement.tsx";
import { ResultTable } from "./result-table.tsx";
import { VerifyAnswer } from "./verify-answer.tsx";

const Markdown = lazy(() => import("../../components/markdown.tsx"));

interface AnswerViewProps {
  /** Resource name of the data agent that answers. */
  readonly agent: string;
  readonly answer: Answer;
  /** Whether more of it is on its way. */
  readonly running: boolean;
  readonly onAsk: (question: string) => void;
}

/** A question and its answer: what was thought is folded, what was found is shown. */
export function AnswerView({ agent, answer, running, onAsk }: AnswerViewProps) {
  return (
    <article className="answer" aria-label={answer.question} data-status={running ? "running" : "done"}>
      <h2 className="question">{answer.question}</h2>
      {answer.parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
        <AnswerPartView key={at} agent={agent} part={part} />
      ))}
      {running && <Loading>{answer.progress || "Analyzing the question…"}</Loading>}
      {!running && <VerifyAnswer agent={agent} answer={answer} />}
      {!running && <PinAnswer agent={agent} answer={answer} />}
      {answer.followUps.length > 0 && !running && (
        <section className="row wrap" aria-label="Suggested questions">
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

function AnswerPartView({ agent, part }: { readonly agent: string; readonly part: AnswerPart }) {
  switch (part.kind) {
    case "thought":
      return part.text ? (
        <details className="thought">
          <summary>{part.title}</summary>
          <p>{part.text}</p>
        </details>
      ) : (
        <p className="thought">{part.title}</p>
      );
    case "matched":
      return (
        <p>
          <Badge tone="success">Verified query</Badge> {part.question}
        </p>
      );
    case "sql":
      return (
        <details className="thought">
          <summary>SQL</summary>
          <EditStatement agent={agent} sql={part.sql} />
        </details>
      );
    case "rows":
      return (
        <div className="stack tight">
          <ResultTable rows={part.rows} />
          <DownloadRows rows={part.rows} />
        </div>
      );
    case "chart":
      return <ChartPart config={part.config} title={part.title} />;
    case "analysis":
      return (
        <details className="thought" open={part.label === "Finding"}>
          <summary>{part.label}</summary>
          {part.code ? <CodeBlock text={part.text} wrapped /> : <p>{part.text}</p>}
        </details>
      );
    case "error":
      return <Banner tone="warning">{part.text}</Banner>;
    case "text":
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
        <div className="answer-text" onClick={showSource}>
          <Suspense fallback={<p>{part.text}</p>}>
            <Markdown text={part.text} />
          </Suspense>
          {part.citation && <Sources citation={part.citation} />}
        </div>
      );
  }
}

/** Scrolls to the source below the text of the mark; other answers use the same numbers. */
function showSource(event: MouseEvent<HTMLElement>): void {
  const target = event.target instanceof Element ? event.target.closest(`a[href^="${SOURCE_PREFIX}"]`) : null;
  if (!target) return;
  event.preventDefault();
  const source = event.currentTarget.querySelector(`[data-source="${target.getAttribute("href")}"]`);
  source?.scrollIntoView({ block: "nearest" });
  source?.animate([{ background: "var(--accent-soft)" }, {}], { duration: 1_500 });
}

function ChartPart({ config, title }: { readonly config: object; readonly title: string }) {
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
          <Download size={15} aria-hidden="true" /> Download SVG
        </Button>
        <Button small tone="plain" isDisabled={!view} onPress={() => void savePng()}>
          <Download size={15} aria-hidden="true" /> Download PNG
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
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The image is too large."))), "image/png");
  return promise;
}

type Citation = NonNullable<Extract<AnswerPart, { kind: "text" }>["citation"]>;

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

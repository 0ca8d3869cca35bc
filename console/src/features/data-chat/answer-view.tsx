import { DataQuery_Origin as Origin } from "@frontdesk/protos/gda/data_chat_service";
import { ThumbsDown } from "lucide-react";
import { type MouseEvent, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { LateMarkdown } from "../../components/late-markdown.tsx";
import { Loading } from "../../components/loading.tsx";
import { type Answer, type AnswerPart, repeatableStatementOf, statementOf } from "./answer.ts";
import { AnswerTabs } from "./answer-tabs.tsx";
import { SOURCE_PREFIX } from "./cited-text.ts";
import { PinAnswer } from "./pins.tsx";
import { ShareButton } from "./sharing/share-button.tsx";
import { VerifyAnswer } from "./verify-answer.tsx";

interface AnswerViewProps {
  /** Resource name of the data agent that answers. */
  readonly agent: string;
  readonly answer: Answer;
  /** Whether more of it is on its way. */
  readonly running: boolean;
  readonly onAsk: (question: string) => void;
}

/** A question and its answer: the words first, then the chart, the table and the SQL; what was thought is folded. */
export function AnswerView({ agent, answer, running, onAsk }: AnswerViewProps) {
  const { question, parts, followUps, progress } = answer;
  const [correcting, setCorrecting] = useState(false);
  const words = parts.filter(({ kind }) => kind === "matched" || kind === "error" || kind === "text");
  const findings = parts.filter((part) => part.kind === "analysis" && part.label === "Finding");
  const steps = parts.filter(
    (part) => part.kind === "thought" || (part.kind === "analysis" && !findings.includes(part)),
  );
  return (
    <article className="answer" aria-label={question} data-status={running ? "running" : "done"}>
      <h2 className="question" dir="auto">
        {question}
      </h2>
      {!running && <QueryOrigin answer={answer} />}
      <AnswerParts parts={[...words, ...findings]} />
      <AnswerTabs agent={agent} answer={answer} correcting={correcting} onCorrecting={setCorrecting} />
      {running && <Loading>{progress || "Analyzing the question…"}</Loading>}
      {!running && <AnswerActions agent={agent} answer={answer} onWrong={() => setCorrecting(true)} />}
      {steps.length > 0 && !running && (
        <details className="thought">
          <summary>How this was answered</summary>
          <AnswerParts parts={steps} />
        </details>
      )}
      {followUps.length > 0 && !running && (
        <section className="row wrap" aria-label="Suggested questions">
          {followUps.map((next) => (
            <Button key={next} small onPress={() => onAsk(next)}>
              {next}
            </Button>
          ))}
        </section>
      )}
    </article>
  );
}

/** Marks SQL that a language model wrote and nobody has verified. */
function QueryOrigin({ answer }: { readonly answer: Answer }) {
  const asked = answer.parts.findLast((part) => part.kind === "query");
  if (asked?.origin !== Origin.LANGUAGE_MODEL || !statementOf(answer)) return null;
  return (
    <p>
      <Badge tone="warning">Unverified</Badge> A language model wrote the SQL of this answer.
    </p>
  );
}

interface AnswerActionsProps {
  readonly agent: string;
  readonly answer: Answer;
  readonly onWrong: () => void;
}

/** What a person may do with an answer that has rows: say that it is right or wrong, keep it. */
function AnswerActions({ agent, answer, onWrong }: AnswerActionsProps) {
  if (!answer.parts.some(({ kind }) => kind === "sql")) return null;
  const statement = repeatableStatementOf(answer);
  return (
    <div className="row wrap">
      <VerifyAnswer agent={agent} answer={answer} />
      <Button small tone="plain" onPress={onWrong}>
        <ThumbsDown size={15} aria-hidden="true" /> This is wrong
      </Button>
      <PinAnswer agent={agent} answer={answer} />
      {statement && <ShareButton agent={agent} question={answer.question} statement={statement} />}
    </div>
  );
}

function AnswerParts({ parts }: { readonly parts: readonly AnswerPart[] }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
    <AnswerPartView key={at} part={part} />
  ));
}

function AnswerPartView({ part }: { readonly part: AnswerPart }) {
  switch (part.kind) {
    case "thought":
      return part.text ? (
        <div>
          <strong>{part.title}</strong>
          <p>{part.text}</p>
        </div>
      ) : (
        <p>{part.title}</p>
      );
    case "matched":
      return (
        <p>
          <Badge tone="success">Verified query</Badge> {part.question}
        </p>
      );
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
        <div className="answer-text" dir="auto" onClick={showSource}>
          <LateMarkdown text={part.text} />
          {part.citation && <Sources citation={part.citation} />}
        </div>
      );
    default:
      return null;
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

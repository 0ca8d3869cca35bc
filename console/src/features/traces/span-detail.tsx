import type { JsonValue } from "@bufbuild/protobuf";
import type { ReactNode } from "react";
import { JsonView } from "../../components/json-view.tsx";
import { SourceLines } from "../../components/source-lines.tsx";
import { type CodeShelf, codeOfCallback, codeOfToolNamed, type PlacedCode } from "./code-place.ts";
import { Printed } from "./span/printed.tsx";
import { Parts, PromptView } from "./span/prompt-view.tsx";
import { Traceback } from "./span/traceback.tsx";
import { objectOf, type SpanRow, textsOf, timeText } from "./span-rows.ts";
import "../../styles/traces/detail.css";

interface SpanDetailProps {
  readonly row: SpanRow;
  readonly shelf: CodeShelf;
}

/** What a span recorded: what went wrong first, then what went in and came out, then everything else it knows. */
export function SpanDetail({ row, shelf }: SpanDetailProps) {
  const { error, frames, output, args, response, prompt, answer, calls, ...facts } = row.span.attributes ?? {};
  const framed = Array.isArray(frames) ? frames.map(objectOf) : [];
  const inTool = typeof objectOf(response).error === "string" ? String(objectOf(response).error) : undefined;
  const code = framed.length > 0 ? undefined : codeOf(row, shelf);
  return (
    <section className="detail" aria-label={`Span ${row.span.name}`}>
      <h3>
        {row.span.name} {row.label && <em>{row.label}</em>} <small>{timeText(row.took)}</small>
      </h3>
      {(error !== undefined || framed.length > 0) && (
        <Traceback error={String(error ?? inTool ?? "")} frames={framed} shelf={shelf} />
      )}
      <Printed lines={textsOf(output)} />
      <Section title="Called with" value={args} />
      <Section title="Answered" value={response} />
      {prompt !== undefined && <PromptView prompt={objectOf(prompt)} />}
      {Array.isArray(answer) && (
        <>
          <h4>Answer of the model</h4>
          <Parts parts={answer} />
        </>
      )}
      {row.kind === "llm" && prompt === undefined && (
        <p className="muted">
          The prompt was not kept. Turns that run here keep it; other clients ask for it with the header{" "}
          <code>x-frontdesk-trace: prompts</code>.
        </p>
      )}
      <Section title="Tools that the code called" value={calls} />
      <Facts facts={facts} />
      {code && (
        <details className="code-now">
          <summary>Code, as it is now</summary>
          <SourceLines code={code.code} marked={0} label={code.title} />
        </details>
      )}
    </section>
  );
}

function codeOf({ kind, span: { attributes = {} } }: SpanRow, shelf: CodeShelf): PlacedCode | undefined {
  if (kind === "callback") return codeOfCallback(attributes, shelf);
  return kind === "tool" ? codeOfToolNamed(attributes.name, shelf) : undefined;
}

function Section({ title, value }: { readonly title: string; readonly value: JsonValue | undefined }): ReactNode {
  if (value === undefined) return null;
  return (
    <>
      <h4>{title}</h4>
      <JsonView value={value} label={title} />
    </>
  );
}

/** The attributes that nothing else shows, one a row. */
function Facts({ facts }: { readonly facts: Readonly<Record<string, JsonValue>> }) {
  const rows = Object.entries(facts).filter(([, value]) => value !== "");
  if (rows.length === 0) return null;
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { JsonValue } from "@bufbuild/protobuf";
import type { Message } from "@frontdesk/protos/ces/example";
import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { addressOf } from "../../api/resource-address.ts";
import { Busy } from "../../components/busy.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { SourceLines } from "../../components/source-lines.tsx";
import { type CodeShelf, codeOfCallback, codeOfToolNamed, type PlacedCode } from "./code-place.ts";
import { type EditorPlace, editorPlaces } from "./editor-place.ts";
import { Printed } from "./span/printed.tsx";
import { objectOf, type SpanRow, textsOf, timeText } from "./span-rows.ts";
import "../../styles/traces/detail.css";

const Parts = lazy(() => import("./span/prompt-view.tsx").then((view) => ({ default: view.Parts })));
const PromptView = lazy(() => import("./span/prompt-view.tsx").then((view) => ({ default: view.PromptView })));
const Traceback = lazy(() => import("./span/traceback.tsx").then((view) => ({ default: view.Traceback })));

interface SpanDetailProps {
  readonly row: SpanRow;
  readonly shelf: CodeShelf;
  /** What was recorded of the turn. */
  readonly messages: readonly Message[];
}

/** What a span recorded: what went wrong first, then what went in and came out, then everything else it knows. */
export function SpanDetail({ row, shelf, messages }: SpanDetailProps) {
  const { error, frames, output, args, response, prompt, answer, calls, ...facts } = row.span.attributes ?? {};
  const framed = Array.isArray(frames) ? frames.map(objectOf) : [];
  const inTool = typeof objectOf(response).error === "string" ? String(objectOf(response).error) : undefined;
  const code = framed.length > 0 ? undefined : codeOf(row, shelf);
  return (
    <section className="detail" aria-label={`Span ${row.span.name}`}>
      <h3>
        {row.span.name} {row.label && <em>{row.label}</em>} <small>{timeText(row.took)}</small>
      </h3>
      <Places places={editorPlaces(row, shelf, messages)} />
      {(error !== undefined || framed.length > 0) && (
        <Suspense fallback={<Busy>Placing the error</Busy>}>
          <Traceback error={String(error ?? inTool ?? "")} frames={framed} shelf={shelf} />
        </Suspense>
      )}
      <Printed lines={textsOf(output)} />
      <Section title="Called with" value={args} />
      <Section title="Answered" value={response} />
      <Suspense fallback={<Busy>Writing the prompt</Busy>}>
        {prompt !== undefined && <PromptView prompt={objectOf(prompt)} />}
        {Array.isArray(answer) && (
          <>
            <h4>Answer of the model</h4>
            <Parts parts={answer} />
          </>
        )}
      </Suspense>
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

/** The ways to where what the span speaks of is edited. */
function Places({ places }: { readonly places: readonly EditorPlace[] }) {
  if (places.length === 0) return null;
  return (
    <nav className="places" aria-label="Edit">
      <Pencil size={14} aria-hidden="true" />
      {places.map(({ title, resource, search = {} }) => (
        <Link key={title} to={addressOf(resource)} search={search}>
          {title}
        </Link>
      ))}
    </nav>
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

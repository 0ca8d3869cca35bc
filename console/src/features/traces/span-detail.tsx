import type { JsonValue } from "@bufbuild/protobuf";
import type { Message } from "@frontdesk/protos/ces/example";
import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { pagePath } from "../../api/resource-names.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Loading } from "../../components/loading.tsx";
import { SourceLines } from "../../components/source-lines.tsx";
import { type AppCodeIndex, type CodeLocation, codeOfCallback, codeOfToolNamed } from "./app-code-index.ts";
import { type EditorLink, editorLinks } from "./editor-links.ts";
import { responseError } from "./response-error.ts";
import { objectOf, type SpanRow, textsOf, timeText } from "./span-rows.ts";
import "../../styles/traces/detail.css";
import { CodeBlock } from "../../components/code-block.tsx";

const Parts = lazy(() => import("./span/prompt-view.tsx").then((view) => ({ default: view.Parts })));
const PromptView = lazy(() => import("./span/prompt-view.tsx").then((view) => ({ default: view.PromptView })));
const Traceback = lazy(() => import("./span/traceback.tsx").then((view) => ({ default: view.Traceback })));

interface SpanDetailProps {
  readonly row: SpanRow;
  readonly codeIndex: AppCodeIndex;
  /** What was recorded of the turn. */
  readonly messages: readonly Message[];
}

/** What a span recorded: what went wrong first, then what went in and came out, then everything else it knows. */
export function SpanDetail({ row, codeIndex, messages }: SpanDetailProps) {
  const { error, frames, output, args, response, prompt, answer, calls, ...facts } = row.span.attributes ?? {};
  const framed = Array.isArray(frames) ? frames.map(objectOf) : [];
  const problem = error === undefined ? responseError(objectOf(response)) : String(error);
  const code = framed.length > 0 ? undefined : codeOf(row, codeIndex);
  return (
    <section className="detail" aria-label={`Span ${row.span.name}`}>
      <h3>
        {row.span.name} {row.label && <em>{row.label}</em>} <small>{timeText(row.took)}</small>
      </h3>
      <Places places={editorLinks(row, codeIndex, messages)} />
      {(problem !== undefined || framed.length > 0) && (
        <Suspense fallback={<Loading>Loading error…</Loading>}>
          <Traceback error={problem ?? ""} frames={framed} codeIndex={codeIndex} />
        </Suspense>
      )}
      <Printed lines={textsOf(output)} />
      <Section title="Arguments" value={args} />
      <Section title="Response" value={response} />
      <Suspense fallback={<Loading>Loading prompt…</Loading>}>
        {prompt !== undefined && <PromptView prompt={objectOf(prompt)} />}
        {Array.isArray(answer) && (
          <>
            <h4>Model response</h4>
            <Parts parts={answer} />
          </>
        )}
      </Suspense>
      {row.kind === "llm" && prompt === undefined && (
        <p className="muted">
          The prompt was not recorded. The simulator records prompts; other clients request them with the header{" "}
          <code>x-frontdesk-trace: prompts</code>.
        </p>
      )}
      <Section title="Tools called by the code" value={calls} />
      <Facts facts={facts} />
      {code && (
        <details className="code-now">
          <summary>Current code</summary>
          <SourceLines code={code.code} marked={0} label={code.title} />
        </details>
      )}
    </section>
  );
}

/** The ways to where what the span speaks of is edited. */
function Places({ places }: { readonly places: readonly EditorLink[] }) {
  if (places.length === 0) return null;
  return (
    <nav className="places" aria-label="Edit">
      <Pencil size={14} aria-hidden="true" />
      {places.map(({ title, resource, search = {} }) => (
        <Link key={title} to={pagePath(resource)} search={search}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function codeOf({ kind, span: { attributes = {} } }: SpanRow, codeIndex: AppCodeIndex): CodeLocation | undefined {
  if (kind === "callback") return codeOfCallback(attributes, codeIndex);
  return kind === "tool" ? codeOfToolNamed(attributes.name, codeIndex) : undefined;
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

/** What code printed and logged. */
function Printed({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>Output</h4>
      <CodeBlock text={lines.join("\n").replace(/\n$/, "")} wrapped label="output" />
    </>
  );
}

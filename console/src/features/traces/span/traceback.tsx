import type { JsonObject } from "@bufbuild/protobuf";
import { Link } from "@tanstack/react-router";
import { addressOf } from "../../../api/resource-address.ts";
import { SourceLines } from "../../../components/source-lines.tsx";
import { type CodeShelf, codeOfFile } from "../code-place.ts";
import "../../../styles/traces/traceback.css";

interface TracebackProps {
  readonly error: string;
  /** The app's own frames, outermost first: filename, line, function, source. */
  readonly frames: readonly JsonObject[];
  readonly shelf: CodeShelf;
}

/** What went wrong in Python, at its line: the code as it is now, with a word where it has changed since. */
export function Traceback({ error, frames, shelf }: TracebackProps) {
  return (
    <div className="stack tight">
      <p className="error-text" role="alert">
        {error}
      </p>
      {frames.map((frame, at) => {
        const filename = String(frame.filename ?? "");
        const line = Number(frame.line ?? 0);
        const source = String(frame.source ?? "");
        const place = codeOfFile(filename, shelf);
        const current = place?.code.split("\n")[line - 1]?.trim() === source;
        const last = at === frames.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames may be alike in recursion
          <figure key={at} className="frame">
            <figcaption>
              {place ? (
                <Link to={addressOf(place.resource)} search={{ ...place.search, ...(current && { line }) }}>
                  {place.title}, line {line}
                </Link>
              ) : (
                `${filename}, line ${line}`
              )}
              , in <code>{String(frame.function ?? "")}</code>
            </figcaption>
            {place && current ? (
              <SourceLines
                code={place.code}
                marked={line}
                label={`${place.title}, line ${line}`}
                {...(last && { note: error })}
              />
            ) : (
              <>
                <SourceLines code={source} marked={1} label={`Line ${line}`} {...(last && { note: error })} />
                <p className="muted">
                  {place ? "The code has changed since." : "The code is not in the app any more."}
                </p>
              </>
            )}
          </figure>
        );
      })}
    </div>
  );
}

import type { JsonObject } from "@bufbuild/protobuf";
import { Link } from "@tanstack/react-router";
import { pagePath } from "../../../api/resource-names.ts";
import { SourceLines } from "../../../components/source-lines.tsx";
import { type AppCodeIndex, codeOfFile } from "../app-code-index.ts";
import "../../../styles/traces/traceback.css";

interface TracebackProps {
  readonly error: string;
  /** The app's own frames, outermost first: filename, line, function, source. */
  readonly frames: readonly JsonObject[];
  readonly codeIndex: AppCodeIndex;
}

/** What went wrong in Python, at its line: the code as it is now, with a word where it has changed since. */
export function Traceback({ error, frames, codeIndex }: TracebackProps) {
  return (
    <div className="stack tight">
      <p className="error-text" role="alert">
        {error}
      </p>
      {frames.map((frame, at) => {
        const filename = String(frame.filename ?? "");
        const line = Number(frame.line ?? 0);
        const source = String(frame.source ?? "");
        const place = codeOfFile(filename, codeIndex);
        const current = place?.code.split("\n")[line - 1]?.trim() === source;
        const last = at === frames.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames may be alike in recursion
          <figure key={at} className="frame">
            <figcaption>
              {place ? (
                <Link to={pagePath(place.resource)} search={{ ...place.search, line: current ? line : undefined }}>
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
                note={last ? error : undefined}
              />
            ) : (
              <>
                <SourceLines code={source} marked={1} label={`Line ${line}`} note={last ? error : undefined} />
                <p className="muted">
                  {place ? "The code has changed since this turn." : "This code is no longer in the app."}
                </p>
              </>
            )}
          </figure>
        );
      })}
    </div>
  );
}

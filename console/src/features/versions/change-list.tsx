import { Badge } from "../../components/badge.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import type { ResourceChange } from "./compare-snapshots.ts";
import "../../styles/edit/changes.css";

const TONES = { added: "success", removed: "error", changed: "neutral" } as const;

/** What differs between two states of an app: one fold for each resource, one comparison for each text. */
export function ChangeList({ changes }: { readonly changes: readonly ResourceChange[] }) {
  if (changes.length === 0) return <p className="muted">No differences.</p>;
  return (
    <div className="stack">
      {changes.map(({ name, kind, title, status, parts }) => (
        <details key={`${kind}${name}`} className="card change" open={changes.length < 6}>
          <summary>
            <b>
              {kind} <bdi>{title}</bdi>
            </b>{" "}
            <Badge tone={TONES[status]}>{status}</Badge>
          </summary>
          <div className="stack">
            {parts.map(({ label, before, after }) => (
              <section key={label} className="stack tight">
                <h2>{label}</h2>
                <DiffView label={`${kind} ${title}: ${label}`} before={before} after={after} />
              </section>
            ))}
          </div>
        </details>
      ))}
    </div>
  );
}

import type { JsonObject } from "@bufbuild/protobuf";
import type { Changelog } from "@frontdesk/protos/ces/changelog";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { pagePath, parentApp, resourceId } from "../../api/resource-names.ts";
import { Badge } from "../../components/badge.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { RestoreDeleted } from "./restore-deleted.tsx";
import { splitTexts } from "./split-texts.ts";
import "../../styles/edit/changes.css";

const TONES: Readonly<Record<string, "success" | "error" | "neutral">> = { Create: "success", Delete: "error" };
/** Collections whose resources have a page. */
const WITH_PAGE = /\/(agents|tools|toolsets|guardrails|examples|versions|deployments)\/[^/]+$/;

/** One change: who, what and when; opened, what it was before and after. */
export function ChangelogEntry({ entry }: { readonly entry: Changelog }) {
  const [open, setOpen] = useState(false);
  const title = entry.displayName || resourceId(entry.resource);
  const to = WITH_PAGE.test(entry.resource)
    ? pagePath(entry.resource)
    : entry.resource === parentApp(entry.resource)
      ? `${pagePath(entry.resource)}/settings`
      : undefined;
  return (
    <details className="card change" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge tone={TONES[entry.action] ?? "neutral"}>{entry.action}</Badge>{" "}
        <b>
          {entry.resourceType} <bdi>{title}</bdi>
        </b>{" "}
        <span className="muted">
          {entry.description} {entry.author} <DateTime time={entry.createTime} />
        </span>
      </summary>
      {open && (
        <div className="stack">
          {to && entry.action !== "Delete" && <Link to={to}>Open {title}</Link>}
          <RestoreDeleted entry={entry} />
          <Differences before={entry.originalResource} after={entry.newResource} />
        </div>
      )}
    </details>
  );
}

interface DifferencesProps {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

function Differences({ before, after }: DifferencesProps) {
  const [left, right] = [splitTexts(before), splitTexts(after)];
  const labels = [...new Set([...left.keys(), ...right.keys()])].filter(
    (label) => left.get(label) !== right.get(label),
  );
  return labels.map((label) => (
    <section key={label} className="stack tight">
      {label && <h2>{label}</h2>}
      <DiffView label={label || "Resource"} before={left.get(label) ?? ""} after={right.get(label) ?? ""} />
    </section>
  ));
}

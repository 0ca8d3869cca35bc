import { durationMs } from "@bufbuild/protobuf/wkt";
import type { QuotaLimit, QuotaUsage } from "@frontdesk/protos/quota/quota_service";
import { Link } from "@tanstack/react-router";
import { pagePath } from "../../api/resource-names.ts";
import { Badge } from "../../components/badge.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import "../../styles/quotas.css";

/** What is used up now, one caller, app or project of one limit a row. */
export function UsageTable({ usages }: { readonly usages: readonly QuotaUsage[] }) {
  if (usages.length === 0) return <p className="muted">Nothing is used up: all that was used has come back.</p>;
  return <Table label="Uses" rows={usages} keyOf={({ name }) => name} columns={COLUMNS} />;
}

const COLUMNS: readonly TableColumn<QuotaUsage>[] = [
  { id: "subject", heading: "Used by", cell: ({ subject }) => <Subject name={subject} /> },
  { id: "limit", heading: "Limit", cell: ({ limit }) => limitText(limit) },
  { id: "used", heading: "Used", cell: ({ used, limit }) => <Level used={used} limit={limit} /> },
  {
    id: "state",
    heading: "Next use",
    cell: ({ retryDelay }) =>
      retryDelay ? (
        <Badge tone="error">{`In ${secondsText(durationMs(retryDelay))}`}</Badge>
      ) : (
        <Badge tone="success">Now</Badge>
      ),
  },
];

function Subject({ name }: { readonly name: string }) {
  const text = <span className="quota-subject">{name}</span>;
  return /\/apps\/[^/]+$/.test(name) ? <Link to={`${pagePath(name)}/settings`}>{text}</Link> : text;
}

/** How full a limit is. Of what is counted in whole numbers, a part that has not come back yet counts as one. */
function Level({ used, limit }: Pick<QuotaUsage, "used" | "limit">) {
  const all = limit?.burst ?? 0;
  const text = `${numberText(limit?.measure === "money" ? used : Math.ceil(used))} of ${numberText(all)}`;
  return (
    <div className="quota-level">
      <meter min={0} max={all} high={all * 0.9} optimum={0} value={used} aria-label={text} />
      <span>{text}</span>
    </div>
  );
}

/** The limits of the configuration. */
export function LimitList({ limits }: { readonly limits: readonly QuotaLimit[] }) {
  return (
    <section className="card stack tight">
      <h2>Limits</h2>
      <ul className="quota-limits">
        {limits.map((limit) => (
          <li key={limitText(limit)}>
            {limitText(limit)}
            {limit.burst !== limit.amount && (
              <span className="muted">, at most {numberText(limit.burst)} at once after a pause</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A limit in words: `60 turns a minute for each caller`. */
export function limitText(limit: QuotaLimit | undefined): string {
  if (!limit) return "";
  const { measure, per, amount, interval } = limit;
  const what = measure === "money" ? `${numberText(amount)} US dollars` : `${numberText(amount)} ${measure}`;
  if (!interval) return `${what} open at once for each ${per}`;
  return `${what} every ${secondsText(durationMs(interval))} for each ${per}`;
}

/** What is searched in a row. */
export function textOfUsage({ subject, limit }: QuotaUsage): string {
  return `${subject} ${limitText(limit)}`;
}

function numberText(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 2 });
}

function secondsText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

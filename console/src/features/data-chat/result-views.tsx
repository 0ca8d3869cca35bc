import { useState } from "react";
import { Banner } from "../../components/banner.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Tabs } from "../../components/tabs.tsx";
import type { ResultSet } from "./answer.ts";
import { ChartPart } from "./chart-part.tsx";
import { DownloadRows } from "./download-rows.tsx";
import { ResultTable } from "./result-table.tsx";

interface ResultViewsProps {
  readonly question: string;
  readonly rows: ResultSet;
  readonly chart: object | undefined;
  /** Whether there are more rows than these. Default false. */
  readonly partial?: boolean;
  /** What found the rows. Default: it is not shown. */
  readonly sql?: string;
}

/** The chart of rows, where they make one, and the rows and their SQL beside it. */
export function ResultViews({ question, rows, chart, partial = false, sql = "" }: ResultViewsProps) {
  const [view, setView] = useState<string>();
  const table = (
    <div className="stack tight">
      {partial && <Banner tone="warning">Only the first {rows.rows.length} rows were read; there are more.</Banner>}
      <ResultTable rows={rows} />
      <DownloadRows rows={rows} />
    </div>
  );
  if (!chart && !sql) return table;
  return (
    <Tabs
      label={question}
      selected={view ?? (chart ? "chart" : "table")}
      onSelect={setView}
      items={[
        ...(chart ? [{ id: "chart", label: "Chart", content: <ChartPart config={chart} title={question} /> }] : []),
        { id: "table", label: "Table", content: table },
        ...(sql ? [{ id: "sql", label: "SQL", content: <CodeBlock text={sql} label="SQL" /> }] : []),
      ]}
    />
  );
}

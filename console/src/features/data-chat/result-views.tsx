import { useState } from "react";
import { Banner } from "../../components/banner.tsx";
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
}

/** The chart of rows, where they make one, and the rows beside it. */
export function ResultViews({ question, rows, chart, partial = false }: ResultViewsProps) {
  const [view, setView] = useState("chart");
  const table = (
    <div className="stack tight">
      {partial && <Banner tone="warning">Only the first {rows.rows.length} rows were read; there are more.</Banner>}
      <ResultTable rows={rows} />
      <DownloadRows rows={rows} />
    </div>
  );
  if (!chart) return table;
  return (
    <Tabs
      label={question}
      selected={view}
      onSelect={setView}
      items={[
        { id: "chart", label: "Chart", content: <ChartPart config={chart} title={question} /> },
        { id: "table", label: "Table", content: table },
      ]}
    />
  );
}

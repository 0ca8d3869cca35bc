import { lazy, Suspense, useEffect, useState } from "react";
import { Tabs } from "../../components/tabs.tsx";
import type { Answer, AnswerPart } from "./answer.ts";
import { ChartPart } from "./chart-part.tsx";
import { DownloadRows } from "./download-rows.tsx";
import { EditStatement } from "./edit-statement.tsx";
import { ResultTable } from "./result-table.tsx";

const EditQuery = lazy(() => import("./model-query/edit-query.tsx").then((view) => ({ default: view.EditQuery })));

interface AnswerTabsProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly answer: Answer;
  /** Whether the person corrects the SQL, because the answer is wrong. */
  readonly correcting: boolean;
  readonly onCorrecting: (correcting: boolean) => void;
}

/** What an answer was found with, one view at a time: its chart, its rows, its query of the semantic model, its SQL. */
export function AnswerTabs({ agent, answer, correcting, onCorrecting }: AnswerTabsProps) {
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    if (correcting) setChosen("sql");
  }, [correcting]);
  const of = <Kind extends AnswerPart["kind"]>(kind: Kind) =>
    answer.parts.filter((part): part is Extract<AnswerPart, { kind: Kind }> => part.kind === kind);
  const [charts, tables, statements] = [of("chart"), of("rows"), of("sql")];
  const asked = of("query").at(-1);
  const items = [
    ...(charts.length > 0
      ? [{ id: "chart", label: "Chart", content: charts.map((part, at) => <ChartPart key={keyAt(at)} {...part} />) }]
      : []),
    ...(tables.length > 0
      ? [
          {
            id: "table",
            label: "Table",
            content: tables.map(({ rows }, at) => (
              <div key={keyAt(at)} className="stack tight">
                <ResultTable rows={rows} />
                <DownloadRows rows={rows} />
              </div>
            )),
          },
        ]
      : []),
    ...(asked?.query
      ? [
          {
            id: "query",
            label: "Query",
            content: (
              <Suspense fallback={<p>{asked.words}</p>}>
                <EditQuery agent={agent} question={answer.question} query={asked.query} words={asked.words} />
              </Suspense>
            ),
          },
        ]
      : []),
    ...(statements.length > 0
      ? [
          {
            id: "sql",
            label: "SQL",
            content: statements.map(({ sql }, at) => (
              <EditStatement
                key={keyAt(at)}
                agent={agent}
                sql={sql}
                question={answer.question}
                correcting={correcting && at === statements.length - 1}
                onCorrecting={onCorrecting}
              />
            )),
          },
        ]
      : []),
  ];
  if (items.length === 0) return null;
  const selected = items.some(({ id }) => id === chosen) ? chosen : items[0]?.id;
  return <Tabs label="Views of the answer" items={items} selected={selected} onSelect={setChosen} />;
}

/** Parts are only ever added at the end. */
function keyAt(at: number): string {
  return String(at);
}

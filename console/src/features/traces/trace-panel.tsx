import { useState } from "react";
import type { Turn } from "../simulator/turn.ts";
import { SpanDetail } from "./span-detail.tsx";
import { spanRows } from "./span-rows.ts";
import { Waterfall } from "./waterfall.tsx";

/** The trace of one turn: its waterfall, and what the chosen span recorded. */
export function TracePanel({ turn }: { readonly turn: Turn | undefined }) {
  const [chosen, setChosen] = useState("0");
  if (!turn?.rootSpan) {
    return (
      <aside className="trace" aria-label="Trace">
        <h2>Trace</h2>
        <p className="empty">
          {turn?.status === "refused"
            ? "A refused turn is not stored and has no trace."
            : "The trace of a turn shows here once the agent has answered."}
        </p>
      </aside>
    );
  }
  const rows = spanRows(turn.rootSpan);
  const row = rows.find(({ key }) => key === chosen) ?? rows[0];
  return (
    <aside className="trace" aria-label="Trace">
      <h2>
        Turn {turn.index + 1} <small>{rows[0]?.took.toFixed(1)} ms</small>
      </h2>
      <Waterfall rows={rows} chosen={row?.key ?? "0"} onChoose={setChosen} />
      {row && <SpanDetail row={row} />}
    </aside>
  );
}

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Span } from "@frontdesk/protos/ces/common";

const BAR_WIDTH = 32;
const ATTRIBUTES = ["name", "agent", "stage", "model", "reason"];

/** The spans of a turn as lines: name and main attributes, start and duration as a bar. */
export function waterfall(root: Span): string {
  const rows = flatten(root, 0);
  const start = milliseconds(root.startTime);
  const total = Math.max(milliseconds(root.endTime) - start, 0.001);
  const width = Math.max(...rows.map(({ label }) => label.length));
  return rows
    .map(({ span, label }) => {
      const from = milliseconds(span.startTime) - start;
      const took = milliseconds(span.endTime) - milliseconds(span.startTime);
      return `  ${label.padEnd(width)}  ${bar(from / total, took / total)}  ${took.toFixed(1).padStart(7)} ms`;
    })
    .join("\n");
}

interface Row {
  readonly span: Span;
  readonly label: string;
}

function flatten(span: Span, depth: number): Row[] {
  return [
    { span, label: `${"  ".repeat(depth)}${labelOf(span)}` },
    ...span.childSpans.flatMap((child) => flatten(child, depth + 1)),
  ];
}

function labelOf(span: Span): string {
  const attributes = (span.attributes ?? {}) as Record<string, unknown>;
  const values = ATTRIBUTES.map((key) => attributes[key]).filter((value) => typeof value === "string" && value !== "");
  return [span.name, ...values].join(" · ");
}

function bar(from: number, length: number): string {
  const start = Math.min(BAR_WIDTH - 1, Math.floor(from * BAR_WIDTH));
  const cells = Math.max(1, Math.min(BAR_WIDTH - start, Math.round(length * BAR_WIDTH)));
  return `${" ".repeat(start)}${"━".repeat(cells)}`.padEnd(BAR_WIDTH);
}

function milliseconds(time: Timestamp | undefined): number {
  return time ? Number(time.seconds) * 1_000 + time.nanos / 1e6 : 0;
}

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Span } from "@frontdesk/protos/ces/common";

/** A span as a row of the waterfall; times in milliseconds, `from` and `share` as fractions of the turn. */
export interface SpanRow {
  readonly key: string;
  readonly span: Span;
  readonly depth: number;
  readonly kind: string;
  readonly label: string;
  readonly from: number;
  readonly share: number;
  readonly took: number;
  readonly failed: boolean;
}

const TELLING = ["name", "stage", "model", "agent"];

/** The spans of a turn in order, each under its parent. */
export function spanRows(root: Span): readonly SpanRow[] {
  const start = milliseconds(root.startTime);
  const total = Math.max(milliseconds(root.endTime) - start, 0.001);
  return flatten(root, 0, "0").map(({ span, depth, key }) => {
    const begins = milliseconds(span.startTime);
    const took = Math.max(0, milliseconds(span.endTime) - begins);
    const kind = span.name.toLowerCase();
    return {
      key,
      span,
      depth,
      kind,
      label: labelOf(span),
      from: (begins - start) / total,
      share: took / total,
      took,
      failed: isFailed(span),
    };
  });
}

function flatten(span: Span, depth: number, key: string): { span: Span; depth: number; key: string }[] {
  return [
    { span, depth, key },
    ...span.childSpans.flatMap((child, index) => flatten(child, depth + 1, `${key}.${index}`)),
  ];
}

function labelOf({ attributes = {} }: Span): string {
  const told = TELLING.map((name) => attributes[name]).find((value) => typeof value === "string" && value !== "");
  return typeof told === "string" ? told : "";
}

/** A span failed when it carries an error, and a guardrail "fails" when it triggered. */
function isFailed({ attributes = {} }: Span): boolean {
  return attributes.error !== undefined || attributes.triggered === true;
}

function milliseconds(time: Timestamp | undefined): number {
  return time ? Number(time.seconds) * 1_000 + time.nanos / 1e6 : 0;
}

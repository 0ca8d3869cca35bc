import { create } from "@bufbuild/protobuf";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import { mapObject } from "./map-json.ts";
import type { TextChange } from "./redact-texts.ts";

/** A span and all below it with the texts of their attributes changed. */
export function mapSpan(span: Span, change: TextChange): Span {
  return create(SpanSchema, {
    ...span,
    ...(span.attributes && { attributes: mapObject(span.attributes, change) }),
    childSpans: span.childSpans.map((child) => mapSpan(child, change)),
  });
}

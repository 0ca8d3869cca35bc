import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import { GoogleSearchSuggestionsSchema, WebSearchQuerySchema } from "@frontdesk/protos/ces/search_suggestions";
import { Citations_CitedChunkSchema as CitedChunkSchema } from "@frontdesk/protos/ces/session_service";
import type { Turn } from "./turn.ts";

/** Where a recorded turn's answer came from, as its trace tells it: the messages of the record have no place for it. */
export function tracedSources({ childSpans }: Span): Partial<Pick<Turn, "citations" | "suggestions">> {
  const told = childSpans.filter(({ name }) => name === "Citations").map(({ attributes = {} }) => attributes);
  if (told.length === 0) return {};
  const citations = told.flatMap(({ cited }) => objects(cited).map((chunk) => fromJson(CitedChunkSchema, chunk)));
  const queries = told.flatMap(({ queries }) => (Array.isArray(queries) ? queries : []));
  const webSearchQueries = queries.map((query) => create(WebSearchQuerySchema, { query: String(query) }));
  return { citations, suggestions: create(GoogleSearchSuggestionsSchema, { webSearchQueries }) };
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}

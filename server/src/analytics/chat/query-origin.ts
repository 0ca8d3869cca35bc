import type { MessageInitShape } from "@bufbuild/protobuf";
import { type DataQuerySchema, DataQuery_Origin as Origin } from "@frontdesk/protos/gda/data_chat_service";
import { describeQuery, type ModelQuery } from "#semantics";
import type { DefinedModel } from "../defined/bind-model.ts";
import { toQueryMessage } from "../defined/query-message.ts";
import type { Plan } from "../plan/planner.ts";

type OriginFields = Pick<MessageInitShape<typeof DataQuerySchema>, "origin" | "words" | "modelQuery">;

/** Who answers for a statement, and the query of the semantic model that it was compiled of, in parts and in words (SEM-14). */
export function queryOrigin(
  { origin }: Extract<Plan, { kind: "query" }>,
  defined: DefinedModel | undefined,
): OriginFields {
  switch (origin?.kind) {
    case undefined:
      return {};
    case "semantic-model":
      return { origin: Origin.SEMANTIC_MODEL, ...inParts(origin.query, defined) };
    case "verified":
      return { origin: Origin.VERIFIED_QUERY, ...(origin.query && inParts(origin.query, defined)) };
    case "outside":
      return { origin: origin.by === "rules" ? Origin.RULES : Origin.LANGUAGE_MODEL };
  }
}

function inParts(query: ModelQuery, defined: DefinedModel | undefined): OriginFields {
  return { modelQuery: toQueryMessage(query), words: defined ? describeQuery(query, defined.definition) : "" };
}

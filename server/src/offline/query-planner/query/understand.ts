import type { SemanticModel, SemanticTable } from "#analytics";
import { type ReadExistence, readExistence } from "../existence/read-existence.ts";
import type { Item } from "../parse/item.ts";
import { beginReading, type Reading } from "../reading/reading.ts";
import { settle } from "../reading/settle.ts";
import { takeItem } from "../reading/take-item.ts";
import type { Grain } from "../time/period.ts";
import { EMPTY_QUERY, type SemanticQuery } from "./semantic-query.ts";

/** A question as far as it was understood. */
export interface Understood {
  readonly query: SemanticQuery;
  readonly warnings: readonly string[];
  /** Tables the question names, also where they are only the subject. */
  readonly subjects: readonly SemanticTable[];
  /** Whether it changes the question before. */
  readonly followsUp: boolean;
  /** Whether its ways to group come on top of those before. */
  readonly adds: boolean;
  /** Whether rows are asked for instead of a number. */
  readonly listed: boolean;
  /** Whether it asks for things by name; "by channel" alone does not. */
  readonly names: boolean;
  readonly unknown: readonly string[];
  /** The period of the question before, moved back by one of these. */
  readonly shift?: Grain;
}

/** Gives each piece of a question its place in a query. */
export function understand(items: readonly Item[], model: SemanticModel): Understood {
  const found = readExistence(items, model);
  if (found) return ofExistence(found);
  const reading = beginReading(items, model);
  items.forEach((item, at) => {
    takeItem(reading, item, at);
  });
  settle(reading);
  return ofReading(reading);
}

function ofExistence({ existence, filters, warnings, unknown }: ReadExistence): Understood {
  return {
    query: { ...EMPTY_QUERY, filters, existence },
    warnings,
    subjects: [existence.subject],
    followsUp: false,
    adds: false,
    listed: !existence.counted,
    names: true,
    unknown,
  };
}

function ofReading({ draft, items, said, shift, subjects, unknown, warnings }: Reading): Understood {
  return {
    query: draft,
    warnings,
    subjects,
    followsUp: said.followsUp,
    adds: said.adds,
    listed: said.listed,
    names: items.some(({ kind }) => kind === "which" || kind === "list"),
    unknown,
    ...(shift && { shift }),
  };
}

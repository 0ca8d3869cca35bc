import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type ExampleQuery, ExampleQuerySchema } from "@frontdesk/protos/gda/context";
import { definedFields } from "#base";
import { invalidArgument } from "#status";
import { QueryError, type SqlSource } from "#warehouse";
import { readableError } from "../chat/readable-error.ts";
import type { SemanticModel } from "../contract.ts";
import type { DefinedModel } from "../defined/bind-model.ts";
import { fromQueryMessage, toQueryMessage } from "../defined/query-message.ts";
import { compileStatement } from "../statements/asked-statement.ts";
import type { RightAnswer } from "../statements/contract.ts";
import { type GeneralQuery, generalize } from "./generalize.ts";
import { type GeneralModelQuery, generalizeModelQuery } from "./model-queries.ts";
import { columnsOf } from "./staleness.ts";

interface Verifying {
  readonly source: SqlSource;
  readonly model: SemanticModel;
  readonly defined: DefinedModel | undefined;
  readonly now: number;
  /** Milliseconds that the statement may take. */
  readonly queryMs: number;
  readonly signal: AbortSignal;
}

/**
 * The example query of a right answer: values that the question gives its statement become parameters, and the columns that it reads are
 * recorded, so that a change of them shows (CA-39). INVALID_ARGUMENT where the statement does not run.
 */
export async function verifiedExample(
  { question, statement: asked, verifier }: Omit<RightAnswer, "agent">,
  verifying: Verifying,
): Promise<ExampleQuery> {
  const { source, model, defined, now, signal } = verifying;
  const compiled = await compileStatement(asked, async () => defined);
  const query = asked.modelQuery && fromQueryMessage(asked.modelQuery);
  const statement = compiled.sql.trim().replace(/;$/, "");
  const plain: VerifiedQuery = {
    question: question.trim(),
    sql: statement,
    parameters: [],
    ...definedFields({ query }),
  };
  const failed = await failureOf(plain, verifying);
  if (failed) throw invalidArgument({ field: query ? "model_query" : "sql_query", description: failed });
  const general: VerifiedQuery =
    query && defined
      ? generalizeModelQuery(plain.question, query, defined)
      : generalize(plain.question, statement, source.dialect !== "googlesql");
  const found = general.parameters.length > 0 && !(await failureOf(general, verifying)) ? general : plain;
  return create(ExampleQuerySchema, {
    naturalLanguageQuestion: found.question,
    query: { case: "sqlQuery", value: found.sql },
    parameters: found.parameters.map(({ name, type }) => ({ name, dataType: type })),
    verification: {
      verifyTime: timestampFromMs(Math.floor(now)),
      verifier,
      columns: [...columnsOf(statement, await tablesOf(statement, source, model, signal), model)],
      ...(found.query && { modelQuery: toQueryMessage(found.query) }),
    },
  });
}

/** `query`: of the semantic model, for answers of it. */
type VerifiedQuery = GeneralQuery & Partial<Pick<GeneralModelQuery, "query">>;

async function failureOf(
  { sql, parameters }: GeneralQuery,
  { source, queryMs, signal }: Verifying,
): Promise<string | undefined> {
  try {
    const limits = { maxRows: 1, maxBytes: 1_000_000, timeoutMs: queryMs };
    await source.query({ sql, authored: true, parameters, limits, signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryError) return readableError(error);
    throw error;
  }
}

/** The tables that a statement reads: as the statement check finds them; where it is in another dialect, those that it names. */
async function tablesOf(sql: string, source: SqlSource, { tables }: SemanticModel, signal: AbortSignal) {
  const check = await source.check(sql, [], signal);
  if (check.kind === "accepted") return check.tables;
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  return tables.map(({ schema }) => schema.path).filter((path) => words.has((path.at(-1) ?? "").toLowerCase()));
}

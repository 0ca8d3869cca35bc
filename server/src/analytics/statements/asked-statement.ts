import { describeQuery, ModelFault } from "#semantics";
import { type FieldViolation, failedPrecondition, invalidArgument } from "#status";
import type { DefinedModel } from "../defined/bind-model.ts";
import { fromQueryMessage } from "../defined/query-message.ts";
import type { AskedStatement, CompiledStatement } from "./contract.ts";

/** What is wrong with the form of a statement; whether it can be compiled depends on the model. `at`: before the name of a field. */
export function statementViolations({ sqlQuery, modelQuery }: AskedStatement, at = ""): readonly FieldViolation[] {
  if ((sqlQuery !== "") === (modelQuery !== undefined))
    return [{ field: `${at}sql_query`, description: "Give exactly one of sql_query and model_query." }];
  const faults = modelQuery ? faultsOf(() => fromQueryMessage(modelQuery)) : [];
  return faults.map((description) => ({ field: `${at}model_query`, description }));
}

/** Compiles a query of the semantic model (SEM-14); SQL stays as it is. INVALID_ARGUMENT with all faults, FAILED_PRECONDITION without a model. */
export async function compileStatement(
  { sqlQuery, modelQuery }: AskedStatement,
  definedModel: () => Promise<DefinedModel | undefined>,
): Promise<CompiledStatement> {
  const violations = statementViolations({ sqlQuery, modelQuery });
  if (violations.length > 0) throw invalidArgument([...violations]);
  if (!modelQuery) return { sql: sqlQuery, words: "", written: "person" };
  const defined = await definedModel();
  if (!defined) throw withoutModel();
  const query = fromQueryMessage(modelQuery);
  let sql = "";
  const faults = faultsOf(() => {
    sql = defined.compile(query).sql;
  });
  if (faults.length > 0) throw invalidArgument(faults.map((description) => ({ field: "model_query", description })));
  return { sql, words: describeQuery(query, defined.definition), written: "semantic-model" };
}

/** An agent without a semantic model. */
export function withoutModel() {
  return failedPrecondition(
    "The data agent has no semantic model, and a model_query is a query of one. Give it a model with ImportSemanticModel, or send sql_query.",
    { reason: "NO_SEMANTIC_MODEL", metadata: {} },
  );
}

function faultsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ModelFault) return error.faults;
    throw error;
  }
}

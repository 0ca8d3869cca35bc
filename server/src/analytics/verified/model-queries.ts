import { findDimension, ModelFault, type ModelQuery } from "#semantics";
import type { AuthoredQuery, Match } from "../context/example-queries.ts";
import type { DefinedModel } from "../defined/bind-model.ts";
import { fromQueryMessage, withConditionValues } from "../defined/query-message.ts";
import { type GeneralQuery, parameterInQuestion } from "./generalize.ts";

/** A verified query of the semantic model: `@name` in a condition stands for a value of the question. */
export interface GeneralModelQuery extends GeneralQuery {
  readonly query: ModelQuery;
}

/** Makes parameters of the texts of conditions that stand once in the question, as `generalize` does for SQL (CA-39). */
export function generalizeModelQuery(question: string, asked: ModelQuery, defined: DefinedModel): GeneralModelQuery {
  const plain = { question, query: asked, sql: defined.compile(asked).sql, parameters: [] };
  if (/[@{}]/.test(question)) return plain;
  const parts = asked.where.flatMap(({ dimension, operator, values: [value, ...more] }) => {
    const isText = findDimension(defined.definition, dimension)?.dimension.type === "text";
    return isText && operator === "=" && more.length === 0 ? [{ dimension, value: String(value) }] : [];
  });
  let general: GeneralQuery = plain;
  for (const { dimension, value } of parts)
    general = parameterInQuestion(general, value, dimension.split(".").at(-1) ?? "value") ?? general;
  const nameOf = new Map(general.parameters.map(({ name, value }) => [value, name]));
  const query = withConditionValues(asked, (value) => {
    const name = nameOf.get(String(value));
    return name === undefined ? value : `@${name}`;
  });
  const { sql } = defined.compile(query);
  const bound = general.parameters.reduce((text, { name }) => text.replaceAll(`'@${name}'`, `@${name}`), sql);
  return bound.includes("'@") ? plain : { ...general, query, sql: bound };
}

/** The query of the semantic model of a verified question, with the values of the question that matches it; undefined for one of SQL. */
export function filledQuery({ query, values }: Match): ModelQuery | undefined {
  const stored = query.example?.verification?.modelQuery;
  if (!stored) return undefined;
  const given = new Map(values.map(({ name, value }) => [`@${name}`, value]));
  return withConditionValues(fromQueryMessage(stored), (value) => given.get(String(value)) ?? value);
}

/** Why the semantic model has not what a verified query names any more; empty where it has, and for queries of SQL. */
export function modelChanges({ example }: AuthoredQuery, defined: DefinedModel | undefined): readonly string[] {
  const stored = example?.verification?.modelQuery;
  if (!stored) return [];
  if (!defined) return ["the semantic model is gone"];
  try {
    defined.compile(fromQueryMessage(stored));
    return [];
  } catch (error) {
    if (error instanceof ModelFault) return error.faults;
    throw error;
  }
}

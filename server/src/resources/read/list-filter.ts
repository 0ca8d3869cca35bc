import type { DescMessage, Message } from "@bufbuild/protobuf";
import { EvaluationRunSchema } from "@frontdesk/protos/ces/evaluation";
import { compileNode, isRestrictionOf, type Predicate, parseRequestFilter, partitionTerms } from "#aip";
import { definedFields } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { ReadContext, ResourceDefinition } from "../define-resource.ts";
import { runsOf } from "../definitions/evaluation-runs.ts";
import { appOf } from "../resource-names.ts";

/** The filters of a list. `withVirtual`: resources that are not stored are listed too. */
export interface ListFilter {
  readonly test?: Predicate;
  /** Names of all resources that can match. Default any. */
  readonly among?: readonly string[];
  readonly withVirtual: boolean;
}

/** Lists system tools in ListTools (ListToolsRequest.filter's comment). It is not a field of a tool. */
const INCLUDE_SYSTEM_TOOLS = "include_system_tools";

/** Compiles the filters of a list request: `filter`, and the two more that ListEvaluations has. A resource must match all of them. */
export async function compileListFilter(
  definition: ResourceDefinition,
  input: DescMessage,
  request: Message,
  context: ReadContext,
): Promise<ListFilter> {
  const text = (field: string) => stringOf(input, request, field);
  const main = compileMain(definition, text("filter"));
  const among = await namesOf(definition, text("filter"), context);
  const tests = [
    main.test,
    compileMain(definition, text("evaluation_filter"), "evaluation_filter").test,
    await compileRunFilter(text("evaluation_run_filter"), text("parent"), context),
  ].filter((test) => test !== undefined);
  return {
    withVirtual: main.withVirtual,
    ...definedFields({ among }),
    test: tests.length > 0 ? (resource) => tests.every((test) => test(resource)) : undefined,
  };
}

function compileMain({ desc, rules }: ResourceDefinition, text: string, field = "filter"): ListFilter {
  const { matched, rest } = partitionTerms(parseRequestFilter(text, field), isSystemToolsTerm);
  const options = { field, aliases: rules.filterAliases };
  if (!rules.virtual && matched[0]) return { withVirtual: false, test: compileNode(desc, matched[0], options) };
  const withVirtual =
    matched.map((term) => flagOf(term.kind === "restriction" ? term.value.text : "", field)).at(-1) ?? false;
  return { withVirtual, test: rest && compileNode(desc, rest, options) };
}

/** The names of what can match, by the first term that the definition knows them of. */
async function namesOf(
  { rules: { filterNames = {} } }: ResourceDefinition,
  text: string,
  context: ReadContext,
): Promise<readonly string[] | undefined> {
  for (const [field, find] of Object.entries(filterNames)) {
    const [term] = partitionTerms(parseRequestFilter(text, "filter"), isRestrictionOf(field)).matched;
    if (term?.comparator === "=" && !term.value.text.includes("*")) return find(term.value.text, context);
  }
  return undefined;
}

const isSystemToolsTerm = isRestrictionOf(INCLUDE_SYSTEM_TOOLS);

function flagOf(text: string, field: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  const violation: FieldViolation = { field, description: `${INCLUDE_SYSTEM_TOOLS} is true or false, not '${text}'.` };
  throw invalidArgument(violation);
}

/** Matches evaluations with a run that matches the filter. */
async function compileRunFilter(text: string, parent: string, context: ReadContext): Promise<Predicate | undefined> {
  const field = "evaluation_run_filter";
  const node = parseRequestFilter(text, field);
  if (!node) return undefined;
  const test = compileNode(EvaluationRunSchema, node, { field });
  const runs = (await runsOf(appOf(parent) ?? "", context)).filter(test);
  const names = new Set(runs.flatMap(({ evaluations }) => evaluations));
  return (evaluation) => names.has((evaluation as Message & { readonly name: string }).name);
}

function stringOf(input: DescMessage, request: Message, name: string): string {
  const field = input.fields.find((each) => each.name === name);
  return field ? String((request as unknown as Record<string, unknown>)[field.localName] ?? "") : "";
}

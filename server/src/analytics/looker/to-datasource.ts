import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DataMessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import type { DatasourceSchema } from "@frontdesk/protos/gda/datasource";
import { DataFilterType } from "@frontdesk/protos/gda/datasource";
import type { JsonObject } from "#base";
import type { Explore, ExploreField, LookerResult } from "#warehouse";
import { toDataResult } from "../chat/data-result.ts";

/** An explore as a data source of the API: its fields, and the same as a LookmlModelExplore. */
export function exploreDatasource(explore: Explore): MessageInitShape<typeof DatasourceSchema> {
  const { instanceUri, model, name, label, description, fields, alwaysFilters, synonyms = [], tags = [] } = explore;
  return {
    reference: {
      case: "lookerExploreReference",
      value: { instance: { case: "lookerInstanceUri", value: instanceUri }, lookmlModel: model, explore: name },
    },
    schema: {
      displayName: label,
      description,
      synonyms: [...synonyms],
      tags: [...tags],
      fields: fields.map((field) => ({
        name: field.name,
        type: field.lookerType,
        description: field.description,
        displayName: field.label,
        category: field.category,
        valueFormat: field.valueFormat,
        synonyms: [...(field.synonyms ?? [])],
        tags: [...(field.tags ?? [])],
      })),
      filters: alwaysFilters.map((filter) => ({ ...filter, type: DataFilterType.ALWAYS_FILTER })),
    },
    structSchema: toStruct(explore),
  };
}

function toStruct({ model, name, label, description, fields }: Explore): JsonObject {
  const ofCategory = (category: ExploreField["category"]) =>
    fields.filter((field) => field.category === category).map(fieldStruct);
  return {
    id: `${model}::${name}`,
    name,
    model_name: model,
    label,
    description,
    fields: { dimensions: ofCategory("DIMENSION"), measures: ofCategory("MEASURE") },
  };
}

function fieldStruct(field: ExploreField): JsonObject {
  return {
    name: field.name,
    label_short: field.label,
    view_label: field.viewLabel,
    type: field.lookerType,
    description: field.description,
    value_format: field.valueFormat,
    suggestions: [...field.values],
  };
}

/** Results name types as BigQuery's older interface does (CA-19). */
const LEGACY: Readonly<Record<string, string>> = { INT64: "INTEGER", FLOAT64: "FLOAT" };

type DataKind = NonNullable<MessageInitShape<typeof DataMessageSchema>["kind"]>;

/** Rows as a message, and beside them the same rows as Looker writes them where some field has a format. */
export function lookerDataResult(name: string, result: LookerResult, { fields }: Explore): DataKind {
  const plain = toDataResult(name, result);
  if (plain.case !== "result") return plain;
  const shown = plain.value.data?.length ?? 0;
  const { columns, formatted = [] } = result;
  const words = new Map(fields.map((field) => [field.name, field]));
  return {
    case: "result",
    value: {
      name,
      data: plain.value.data ?? [],
      schema: {
        fields: columns.map((column) => {
          const { label = "", category = "", valueFormat = "" } = words.get(column.name) ?? {};
          const type = LEGACY[column.type] ?? column.type;
          return { name: column.name, type, mode: column.mode, displayName: label, category, valueFormat };
        }),
      },
      formattedData: formatted
        .slice(0, shown)
        .map((row) => Object.fromEntries(columns.map((column, at) => [column.name, row[at] ?? null]))),
    },
  };
}

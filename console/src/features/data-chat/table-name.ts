import type { BigQueryTableReference } from "@frontdesk/protos/gda/datasource";

/** A table as a context names it. */
export type TableName = Pick<BigQueryTableReference, "projectId" | "datasetId" | "tableId">;

/** Uploaded files are datasets of their project with ids of their own. */
const UPLOAD = /^upload_[0-9a-f]+$/;

/** Whether a dataset is an uploaded file. */
export function isUpload(datasetId: string): boolean {
  return UPLOAD.test(datasetId);
}

/** Whether people brought a dataset: an uploaded file, or a connected database. */
export function isOwnData(datasetId: string): boolean {
  return isUpload(datasetId) || /^connection_[0-9a-f]+$/.test(datasetId);
}

/** `project.dataset.table`. */
export function fullName({ projectId, datasetId, tableId }: TableName): string {
  return [projectId, datasetId, tableId].join(".");
}

/** A table as people call it: a table of an uploaded file or connected database by its own name, others in full. */
export function tableLabel(table: TableName): string {
  return isOwnData(table.datasetId) ? table.tableId : fullName(table);
}

/** The table of `project.dataset.table`; undefined for other text. */
export function parseTableName(text: string): TableName | undefined {
  const [projectId = "", datasetId = "", tableId = "", ...rest] = text.replaceAll("`", "").trim().split(".");
  if (rest.length > 0 || [projectId, datasetId, tableId].some((part) => part.trim() === "")) return undefined;
  return { projectId, datasetId, tableId };
}

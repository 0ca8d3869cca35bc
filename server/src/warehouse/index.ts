/** Data sources behind one interface: schema, dry run, query, result set. One folder an engine. */
export { isHostPattern } from "./connections/allowed-hosts.ts";
export { isConnection } from "./connections/connected-databases.ts";
export { type ConnectableEngine, ENGINE_TRAITS } from "./connections/database-address.ts";
export { refusalOf } from "./connections/database-gate.ts";
export type { TlsMode } from "./connections/gate-contract.ts";
export type {
  Column,
  Connections,
  DataSource,
  Explore,
  ExploreField,
  LookerResult,
  LookerSource,
  QueryJob,
  QueryParameter,
  QueryRequest,
  ResultSet,
  SqlDialect,
  SqlSource,
  TablePath,
  TableSchema,
  UnreachableSource,
  Uploads,
  Warehouse,
} from "./contract.ts";
export { QueryError, rowTooLarge } from "./contract.ts";
export { createWarehouse } from "./create-warehouse.ts";
export { unicodeOf } from "./duckdb/text-encoding.ts";
export type {
  BigQueryAccess,
  BigQueryMapping,
  LookerInstance,
  PostgresMapping,
  RemoteEngineName,
  RemoteMapping,
  SourceMapping,
  TablePattern,
  WarehouseConfig,
} from "./mapping/warehouse-config.ts";
export { type Restrictions, type TableRestriction, withRestrictions } from "./restricted/restricted-source.ts";
export { type Comparison, type RowCondition, type RowValue, RuleFault } from "./restricted/row-condition.ts";
export { writeSample, writeSampleInChildProcess } from "./sample/write-sample.ts";
export { tableKey } from "./table-key.ts";
export { notedUnit, unitOfCell } from "./uploads/cell-units.ts";
export {
  beginsWithZero,
  type Conversion,
  convertedColumn,
  DATE_FORMATS,
  DATETIME_FORMATS,
  hasCurrency,
  isNoCode,
  presentText,
  saysMissing,
} from "./uploads/conversions.ts";
export { isUpload, type TableConversions } from "./uploads/upload-folder.ts";

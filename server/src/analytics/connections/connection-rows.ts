import { clone, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type DataConnection, DataConnectionSchema } from "@frontdesk/protos/gda/data_connection";
import { locationOf } from "#aip";
import { resealed, type Sealer } from "#base";
import type { ResourceRow } from "#storage";
import { DATA_CONNECTION_TYPE } from "./data-connection-name.ts";

/** A connection as it is stored. */
export interface ConnectionRow {
  /** Without the password. */
  readonly connection: DataConnection;
  /** The password, sealed for this connection alone. */
  readonly sealed: string;
  readonly etag: string;
}

/** The row of a connection. A password in the message is left out: it is stored sealed alone. */
export function toConnectionRow({ connection, sealed, etag }: ConnectionRow): ResourceRow {
  const { name, displayName, createTime, updateTime } = connection;
  const message = Buffer.from(toBinary(DataConnectionSchema, withoutPassword(connection))).toString("base64");
  return {
    ...{ name, displayName, etag, type: DATA_CONNECTION_TYPE },
    parent: locationOf(name),
    createTime: createTime ? timestampMs(createTime) : 0,
    updateTime: updateTime ? timestampMs(updateTime) : 0,
    body: Buffer.from(JSON.stringify({ message, sealed })),
  };
}

/** The connection of a row. */
export function fromConnectionRow({ body, etag }: ResourceRow): ConnectionRow {
  const { message, sealed } = JSON.parse(Buffer.from(body).toString()) as Readonly<
    Record<"message" | "sealed", string>
  >;
  return { connection: fromBinary(DataConnectionSchema, Buffer.from(message, "base64")), sealed, etag };
}

/** What everybody may see who may see the connection. */
export function withoutPassword(connection: DataConnection): DataConnection {
  const shown = clone(DataConnectionSchema, connection);
  shown.password = "";
  return shown;
}

/** A password, sealed for the connection of this name: it cannot be opened for another. */
export function sealPassword(name: string, password: string, sealer: Sealer): string {
  return Buffer.from(sealer.seal(Buffer.from(password), purposeOf(name))).toString("base64");
}

/** Throws `SealError`. */
export function openPassword(name: string, sealed: string, sealer: Sealer): string {
  return Buffer.from(sealer.open(Buffer.from(sealed, "base64"), purposeOf(name))).toString();
}

/** The row with its password sealed by the newest key; undefined where it is, or has none. Throws `SealError`. */
export function resealedConnection(stored: ResourceRow, sealer: Sealer): ResourceRow | undefined {
  const row = fromConnectionRow(stored);
  if (row.sealed === "") return undefined;
  const anew = resealed(Buffer.from(row.sealed, "base64"), purposeOf(row.connection.name), sealer);
  return anew && toConnectionRow({ ...row, sealed: Buffer.from(anew).toString("base64") });
}

/** A password that somebody puts into the row of another connection does not open there. */
function purposeOf(name: string): string {
  return `data-connection ${name}`;
}

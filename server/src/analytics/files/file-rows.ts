import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type DataFile, DataFileSchema } from "@frontdesk/protos/gda/data_file";
import { locationOf } from "#aip";
import type { ResourceRow } from "#storage";
import { DATA_FILE_TYPE } from "./data-file-name.ts";

/** A file as it is stored. */
export interface FileRow {
  readonly file: DataFile;
  /** Name in the folder of the warehouse. */
  readonly fileName: string;
  /** Where its content is in the store of blobs. */
  readonly blob: string;
  readonly etag: string;
}

/** The row of a file. */
export function toFileRow({ file, fileName, blob, etag }: FileRow): ResourceRow {
  const message = Buffer.from(toBinary(DataFileSchema, file)).toString("base64");
  return {
    name: file.name,
    type: DATA_FILE_TYPE,
    parent: locationOf(file.name),
    displayName: file.displayName,
    createTime: file.createTime ? timestampMs(file.createTime) : 0,
    updateTime: file.updateTime ? timestampMs(file.updateTime) : 0,
    etag,
    body: Buffer.from(JSON.stringify({ message, fileName, blob })),
  };
}

/** The file of a row. */
export function fromFileRow({ body, etag }: ResourceRow): FileRow {
  const { message, fileName, blob } = JSON.parse(Buffer.from(body).toString()) as Readonly<
    Record<"message" | "fileName" | "blob", string>
  >;
  return { file: fromBinary(DataFileSchema, Buffer.from(message, "base64")), fileName, blob, etag };
}

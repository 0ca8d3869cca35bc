import type { DataFile_Table as Table } from "@frontdesk/protos/gda/data_file";
import type { Conversion, TableConversions } from "#warehouse";
import { conversionOf } from "./column-kinds.ts";

/** How the columns of a file are read. */
export function conversionsOfTables(tables: readonly Table[]): TableConversions {
  return Object.fromEntries(
    tables.map(({ tableId, columns }) => [
      tableId,
      Object.fromEntries(
        columns.flatMap((column): readonly (readonly [string, Conversion])[] => {
          const conversion = conversionOf(column, column.name);
          return conversion ? [[column.name, conversion]] : [];
        }),
      ),
    ]),
  );
}

import type { RemoteDialect } from "../remote/contract.ts";
import { COMMON_FUNCTIONS, COMMON_KEYWORDS, words } from "../remote/statement/keywords.ts";
import { STANDARD_LEXIS } from "../remote/statement/lexis.ts";

/** SQL Server from 2016 on, and Azure SQL: names in brackets, texts of Unicode, TOP in place of LIMIT. */
export const SQLSERVER_DIALECT: RemoteDialect = {
  name: "sqlserver",
  title: "SQL Server",
  lexis: { ...STANDARD_LEXIS, names: '"[', textPrefixes: "N", operators: ["&", "|", "^", "~", "!<", "!>"] },
  keywords: COMMON_KEYWORDS.difference(words("LATERAL")).union(
    words(`TOP PERCENT WITHIN AT ZONE COLLATE TINYINT BIT MONEY SMALLMONEY NCHAR NVARCHAR TEXT NTEXT UNIQUEIDENTIFIER SMALLDATETIME DATETIME DATETIME2
      DATETIMEOFFSET WEEKDAY DAYOFYEAR ISO_WEEK MILLISECOND MICROSECOND DW DY YY YYYY QQ MM DD WK HH MI SS`),
  ),
  functions: COMMON_FUNCTIONS.difference(words("EXTRACT MOD")).union(
    words(`
      STDEV STDEVP VAR VARP COUNT_BIG APPROX_COUNT_DISTINCT STRING_AGG GROUPING GROUPING_ID CHECKSUM_AGG PERCENTILE_CONT PERCENTILE_DISC
      LOG SQUARE COT ATN2 RAND ISNUMERIC IIF CHOOSE ISNULL CONVERT TRY_CAST TRY_CONVERT
      DATEADD DATEDIFF DATEDIFF_BIG DATENAME DATEPART DATETRUNC DATE_BUCKET DATEFROMPARTS DATETIME2FROMPARTS TIMEFROMPARTS EOMONTH ISDATE YEAR MONTH DAY
      GETDATE GETUTCDATE SYSDATETIME SYSUTCDATETIME SYSDATETIMEOFFSET SWITCHOFFSET TODATETIMEOFFSET
      ASCII CHAR NCHAR CHARINDEX CONCAT_WS DATALENGTH FORMAT LEN PATINDEX QUOTENAME REPLICATE SOUNDEX DIFFERENCE SPACE STR STUFF TRANSLATE UNICODE
      JSON_VALUE JSON_QUERY ISJSON HASHBYTES`),
  ),
  tableFunctions: new Set(),
  parameterTypes: {
    ...{ BOOL: "BIT", BOOLEAN: "BIT", DATE: "DATE", DATETIME: "DATETIME2", TIMESTAMP: "DATETIMEOFFSET", TIME: "TIME" },
    ...{ FLOAT: "FLOAT", FLOAT64: "FLOAT", INT64: "BIGINT", INTEGER: "BIGINT", NUMERIC: "DECIMAL(38, 9)" },
  },
  quoteName: (name) => `[${name.replaceAll("]", "]]")}]`,
  // A backslash before the end of a line is left out with it, so it gets a text of its own.
  quoteText: (text) => {
    const parts = text.replaceAll("'", "''").split(/(?<=\\)(?=\r?\n)/);
    return parts.length === 1 ? `N'${parts[0]}'` : `(${parts.map((part) => `N'${part}'`).join(" + ")})`;
  },
  spellings: {
    ...{
      TRUE: "1",
      FALSE: "0",
      CURRENT_DATE: "CAST(SYSDATETIME() AS DATE)",
      CURRENT_TIME: "CAST(SYSDATETIME() AS TIME)",
    },
    ...{ CEIL: "CEILING", LENGTH: "LEN", LN: "LOG", ATAN2: "ATN2" },
    ...{ STDDEV_SAMP: "STDEV", STDDEV_POP: "STDEVP", VAR_SAMP: "VAR", VAR_POP: "VARP" },
  },
  literalTypes: { DATE: "DATE", TIME: "TIME", TIMESTAMP: "DATETIME2", DATETIME: "DATETIME2" },
  limitsByTop: true,
};

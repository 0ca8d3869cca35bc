import type { RemoteDialect } from "../remote/contract.ts";
import { COMMON_KEYWORDS, words } from "../remote/statement/keywords.ts";
import { STANDARD_LEXIS } from "../remote/statement/lexis.ts";
import { ALLOWED_FUNCTIONS } from "./statement-check/allowed.ts";

/** GoogleSQL, for statements that are written anew: those over tables of which a caller sees a part. */
export const BIGQUERY_DIALECT: RemoteDialect = {
  name: "googlesql",
  title: "BigQuery",
  lexis: {
    ...{
      ...STANDARD_LEXIS,
      texts: `'"`,
      backslashes: true,
      codeEscapes: true,
      tripleQuotes: true,
      names: "`",
      hashComments: true,
    },
    operators: ["||", "<<", ">>", "&", "|", "^", "~"],
  },
  keywords: COMMON_KEYWORDS.union(
    words(`QUALIFY STRUCT ARRAY INT64 FLOAT64 BIGNUMERIC BIGDECIMAL BOOL BYTES STRING JSON GEOGRAPHY DATETIME MICROSECOND MILLISECOND ISOWEEK ISOYEAR DAYOFWEEK
      DAYOFYEAR AT ZONE FORMAT IGNORE RESPECT SAFE_OFFSET ORDINAL MONDAY SUNDAY MAX MIN`),
  ),
  functions: ALLOWED_FUNCTIONS,
  tableFunctions: words("UNNEST"),
  nestedFields: true,
  parameterTypes: {
    ...{ BOOL: "BOOL", BOOLEAN: "BOOL", DATE: "DATE", DATETIME: "DATETIME", TIME: "TIME", TIMESTAMP: "TIMESTAMP" },
    ...{ FLOAT: "FLOAT64", FLOAT64: "FLOAT64", INT64: "INT64", INTEGER: "INT64", NUMERIC: "NUMERIC" },
    BIGNUMERIC: "BIGNUMERIC",
  },
  // An identifier as GoogleSQL reads it, whatever it contains.
  quoteName: (name) => `\`${name.replace(/[\\`]/g, "\\$&")}\``,
  quoteText: (text) => `'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`,
};

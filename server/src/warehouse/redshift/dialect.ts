import type { RemoteDialect } from "../remote/contract.ts";
import { COMMON_FUNCTIONS, COMMON_KEYWORDS, words } from "../remote/statement/keywords.ts";
import { STANDARD_LEXIS } from "../remote/statement/lexis.ts";
import { quoteEscapedText, quoteName } from "../sql-quoting.ts";

/** Amazon Redshift: an old PostgreSQL on the wire, with backslashes in texts, without LATERAL and without series. */
export const REDSHIFT_DIALECT: RemoteDialect = {
  name: "redshift",
  title: "Redshift",
  lexis: { ...STANDARD_LEXIS, backslashes: true, operators: ["::", "||", "!~*", "!~", "~*", "~"] },
  keywords: COMMON_KEYWORDS.difference(words("LATERAL")).union(
    words(`ILIKE SIMILAR TO QUALIFY TOP AT ZONE WITHIN IGNORE RESPECT UNKNOWN MINUS DOW DOY EPOCH TEXT BPCHAR TIMESTAMPTZ TIMETZ INT2 INT4 INT8 FLOAT4
      FLOAT8 BOOL SUPER MONTHS DAYS WEEKS YEARS HOURS`),
  ),
  functions: COMMON_FUNCTIONS.union(
    words(`
      STDDEV VARIANCE MEDIAN PERCENTILE_CONT PERCENTILE_DISC LISTAGG ANY_VALUE BOOL_AND BOOL_OR BIT_AND BIT_OR RATIO_TO_REPORT GROUPING APPROXIMATE
      CBRT DEXP DLOG1 DLOG10 LOG TRUNC RANDOM COT NVL NVL2 DECODE ISNULL
      DATE_TRUNC DATE_PART DATEADD DATEDIFF DATE_CMP ADD_MONTHS MONTHS_BETWEEN LAST_DAY NEXT_DAY GETDATE SYSDATE TO_CHAR TO_DATE TO_NUMBER TO_TIMESTAMP
      CONVERT_TIMEZONE TIMEZONE DATE TIME TIMESTAMP
      ASCII BTRIM CHAR_LENGTH CHARACTER_LENGTH CHARINDEX CHR INITCAP LEN LPAD OCTET_LENGTH POSITION REGEXP_COUNT REGEXP_INSTR REGEXP_REPLACE
      REGEXP_SUBSTR REPEAT REPLICATE RPAD SPLIT_PART STRPOS SUBSTR TEXTLEN TRANSLATE MD5 SHA1 SHA2
      CONVERT TRY_CAST IS_VALID_JSON JSON_EXTRACT_PATH_TEXT JSON_EXTRACT_ARRAY_ELEMENT_TEXT JSON_ARRAY_LENGTH JSON_PARSE JSON_SERIALIZE JSON_TYPEOF
      GET_ARRAY_LENGTH ARRAY IS_ARRAY IS_OBJECT`),
  ),
  tableFunctions: new Set(),
  parameterTypes: {
    ...{ BOOL: "BOOLEAN", BOOLEAN: "BOOLEAN", DATE: "DATE", DATETIME: "TIMESTAMP", TIMESTAMP: "TIMESTAMPTZ" },
    ...{ FLOAT: "DOUBLE PRECISION", FLOAT64: "DOUBLE PRECISION", INT64: "BIGINT", INTEGER: "BIGINT" },
    // Without its digits the type has none behind the point.
    NUMERIC: "DECIMAL(38, 9)",
  },
  quoteName,
  quoteText: quoteEscapedText,
  // Names are in small letters, in quotes too, unless a cluster says otherwise.
  fold: (name) => name.toLowerCase(),
};

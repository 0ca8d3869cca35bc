/** Functions that only compute: from their arguments, the rows, or the time. All others are rejected by name. */
export const FUNCTIONS: ReadonlySet<string> = words(`
  count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_avgx regr_avgy
  regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy bool_and bool_or every bit_and bit_or bit_xor
  array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg mode percentile_cont percentile_disc any_value
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  abs cbrt ceil ceiling degrees div exp factorial floor gcd lcm ln log log10 mod power pow radians round scale sign sqrt trunc
  trim_scale min_scale width_bucket random acos asin atan atan2 cos cot sin tan sinh cosh tanh asinh acosh atanh pi
  greatest least coalesce nullif num_nulls num_nonnulls
  ascii bit_length btrim char_length character_length chr concat concat_ws convert_from encode decode format initcap left length
  lower lpad ltrim md5 normalize is_normalized octet_length overlay position quote_literal quote_ident quote_nullable regexp_count
  regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
  repeat replace reverse right rpad rtrim split_part starts_with string_to_array string_to_table strpos substr substring
  to_ascii to_hex translate trim unistr upper like_escape similar_to_escape sha224 sha256 sha384 sha512
  age clock_timestamp date_bin date_part date_trunc extract isfinite justify_days justify_hours justify_interval make_date
  make_interval make_time make_timestamp make_timestamptz now statement_timestamp timeofday transaction_timestamp to_timestamp
  to_char to_date to_number timezone overlaps date time timestamp timestamptz interval
  text varchar bpchar numeric int2 int4 int8 float4 float8 bool
  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions array_prepend
  array_remove array_replace array_to_string array_upper cardinality trim_array unnest generate_series generate_subscripts
  json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each json_each_text
  json_extract_path json_extract_path_text json_object json_object_keys json_strip_nulls json_typeof jsonb_array_elements
  jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path
  jsonb_extract_path_text jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_match jsonb_path_query
  jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_insert jsonb_strip_nulls jsonb_typeof row_to_json
  to_json to_jsonb array_to_json
  lower_inc upper_inc lower_inf upper_inf isempty range_merge daterange int4range int8range numrange tsrange tstzrange
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline
  pg_typeof gen_random_uuid host network family masklen broadcast netmask
`);

/** Types a value may be cast to: plain data, none whose input looks something up (regclass and its kin, oid, cid, xml). */
export const TYPES: ReadonlySet<string> = words(`
  bool boolean int2 int4 int8 smallint integer bigint float4 float8 numeric decimal money text varchar bpchar char name
  date time timetz timestamp timestamptz interval bytea json jsonb uuid bit varbit inet cidr macaddr
  int4range int8range numrange tsrange tstzrange daterange tsvector tsquery point line lseg box path polygon circle record
`);

/** Kinds of parse tree nodes that a SELECT may have, by their names in the grammar. */
export const NODES: ReadonlySet<string> = words(`
  SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr A_ArrayExpr A_Indirection A_Indices BoolExpr NullTest BooleanTest CaseExpr
  CaseWhen CoalesceExpr MinMaxExpr FuncCall NamedArgExpr SQLValueFunction SubLink TypeCast RowExpr CollateClause ParamRef
  GroupingFunc GroupingSet SortBy WindowDef JoinExpr RangeVar RangeSubselect RangeFunction RangeTableSample List CommonTableExpr
  String Integer Float Boolean BitString
`);

/** Keywords that are values of time. */
export const KEYWORDS: ReadonlySet<string> = words(`
  SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N
  SVFOP_LOCALTIME SVFOP_LOCALTIME_N SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N
`);

/** System columns, which every table has. */
export const SYSTEM_COLUMNS: ReadonlySet<string> = words("tableoid cmin cmax xmin xmax ctid");

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

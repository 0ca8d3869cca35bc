/** Writes one row, with a time: what shows that the database takes writes. */
export const WRITE_CHECK =
  "insert into write_check values (1, $1) on conflict (id) do update set checked_time = excluded.checked_time";

/**
 * What a turn asks of the database, as functions: a connection keeps the plan of a statement in a function, and a plan of these costs as much as running
 * it. The plan that is kept may be made while tables are empty or have one row, where reading all of it costs nothing. So whole tables and indexes are ruled
 * out: by the settings of the functions, and by `= any(array[…])`, which an index finds rows by and which no index in its whole length serves.
 *
 * `begin_turns` answers for turns that begin at the same time. `wanted` are leases (name, token), null for none. It skips a lease that somebody else holds,
 * or is about to take or to end, and reads the heads of conversations in a snapshot that is newer than their leases. `changed` are rows of the log from the
 * transaction `known` on, and `horizon` is where the next look begins.
 *
 * `append_turns` stores many turns, each with its head and its exports, in one commit (DB-3). Each turn has its own outcome: it is stored when its lease is
 * still the one that it began with, and the stored turn count is the previous one. Leases are locked in the order of their names, so that two
 * batches never wait for each other. The names that are returned were stored.
 *
 * A crash or failover of the database empties the table of leases, which is not logged. So a turn whose session has no lease at all is stored, too, when it is directly
 * behind the stored turns of the same conversation. That is safe, because a lease only spares a turn that would be refused, and the turn count decides:
 * - A server that took the session over has made a lease with another token, which is seen and refuses the turn. One that is about to make it, or made it after the
 *   snapshot of this statement, either reads the head with this turn, or is refused itself: of two updates from the same turn count the second finds another one, and of
 *   two first turns the second finds the conversation. Both lock the row and look again, with leases and without.
 * - A removed conversation has no turns to be behind. One that was made again under its name, with as many turns, began at another time. For a first turn there is nothing to
 *   compare: it begins a conversation, as it would have after the removal.
 * - Removing a conversation, and settling what one waits for, leave a lease that nobody holds, which refuses the turns that ran meanwhile. The maintenance erases it after
 *   ten minutes, and no lease that a living server holds. A turn of a server that slept for longer is stored only if no other came, as above.
 */
export const TURN_FUNCTIONS = `
create or replace function begin_turns(server text, wanted json, known xid8) returns table (horizon text, granted json, changed json)
language plpgsql set enable_seqscan = off set enable_indexonlyscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare leased json;
begin
  if wanted is not null then
    with input as materialized (
      select * from json_to_recordset(wanted) as i(name text, token text)
    ), free as materialized (
      select l.session, i.token from leases l join input i on l.session = any(array[i.name])
      where not l.held or l.owner = server
        or not exists (select 1 from replicas r where r.id = l.owner and r.until > clock_timestamp())
      order by i.name for update of l skip locked
    ), taken as (
      update leases l set owner = server, token = f.token, held = true, previous = l.owner, used_time = clock_timestamp()
      from free f where l.session = any(array[f.session])
      returning l.session, l.previous
    ), made as (
      insert into leases (session, owner, token, held, previous)
      select i.name, server, i.token, true, '' from input i
      where not exists (select 1 from leases l where l.session = any(array[i.name])) order by i.name collate "C"
      on conflict (session) do nothing
      returning session, previous
    )
    select json_agg(g) into leased from (select * from taken union all select * from made) as g;
  end if;
  return query select
    pg_snapshot_xmin(pg_current_snapshot())::text,
    (select json_agg(json_build_object('session', g.session, 'unchanged', g.previous = server, 'head',
        case when g.previous <> server then (select to_json(c) from conversations c where c.name = g.session) end))
      from json_to_recordset(leased) as g(session text, previous text)),
    (select json_agg(json_build_object('id', c.id, 'origin', c.origin, 'kind', c.kind, 'name', c.name, 'type', c.type) order by c.id)
      from changes c where c.tx >= known);
end $$;

create or replace function append_turns(heads json, bodies bytea, waiting_exports json) returns setof text
language plpgsql set enable_seqscan = off set enable_indexonlyscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query
  with input as materialized (
    select * from json_to_recordset(heads) as i(
      name text, token text, app text, start_time float8, end_time float8, turn_count int, source int, input_types text, entry_agent text,
      deployment text, app_version text, language_code text, state text, hidden int, due_time float8,
      extra text, text text, words text[], withheld int, body_from int, body_bytes int)
  ), fence as materialized (
    select l.session from leases l join input i on l.session = any(array[i.name]) where i.token = l.token order by i.name for update of l
  ), lost as materialized (
    select i.name from input i where i.token is not null and i.name not in (select f.session from fence f)
      and not exists (select 1 from leases l where l.session = any(array[i.name]))
  ), allowed as materialized (
    select i.*, i.name in (select o.name from lost o) as unleased from input i
    where i.token is null or i.name in (select f.session from fence f) or i.name in (select o.name from lost o)
  ), opened as (
    insert into conversations (name, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version,
      language_code, state, hidden, due_time)
    select a.name, a.app, a.start_time, a.end_time, a.turn_count, a.source, a.input_types, a.entry_agent, a.deployment, a.app_version,
      a.language_code, a.state, a.hidden, a.due_time
    from allowed a where a.turn_count = 1 order by a.name
    on conflict (name) do nothing
    returning id, name
  ), continued as (
    update conversations c set end_time = a.end_time, turn_count = a.turn_count, source = a.source, input_types = a.input_types,
      entry_agent = a.entry_agent, deployment = a.deployment, app_version = a.app_version, language_code = a.language_code,
      state = a.state, hidden = a.hidden, due_time = a.due_time
    from allowed a where a.turn_count > 1 and c.name = any(array[a.name]) and c.turn_count = a.turn_count - 1
      and (not a.unleased or c.start_time = a.start_time)
    returning c.id, c.name
  ), kept as (
    select id, name from opened union all select id, name from continued
  ), stored as (
    insert into turns (conversation, turn_index, body, extra, text, words, withheld)
    select k.id, a.turn_count, substring(bodies from a.body_from for a.body_bytes), a.extra, a.text, array_to_tsvector(a.words), a.withheld
    from kept k join allowed a on a.name = k.name
  ), exported as (
    insert into exports (destination, app, created_time, bytes, body)
    select e.destination, e.app, e.created_time, e.bytes, e.body
    from json_to_recordset(waiting_exports) as e(at int, name text, destination text, app text, created_time float8, bytes int, body text)
    where e.name in (select k.name from kept k) order by e.at
  ), released as (
    update leases l set held = false, used_time = clock_timestamp() from fence f where l.session = any(array[f.session])
  )
  select name::text from kept;
end $$;
`;

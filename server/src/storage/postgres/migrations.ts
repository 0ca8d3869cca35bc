import { TURN_FUNCTIONS } from "./turn-functions.ts";

/**
 * One version of the schema. A migration only expands: tables, columns with defaults, indexes, which the release before does not notice. What the
 * release before needs is dropped by a `contract`, which `oldest` allows: releases that know fewer versions than it no longer start.
 */
export interface Migration {
  readonly sql: string;
  /** The oldest version whose release still works with this schema. */
  readonly oldest: number;
}

/** The migrations of the schema: the place in the list is the version, from 1. Released ones never change; new ones go to the end. */
export const MIGRATIONS: readonly Migration[] = [
  {
    oldest: 1,
    // Names compare by bytes, because trees of names are read as ranges. Times are milliseconds, or the database's own.
    sql: `
  create table resources (
    name text collate "C" primary key,
    type text collate "C" not null,
    parent text collate "C" not null,
    display_name text not null,
    create_time double precision not null,
    update_time double precision not null,
    etag text not null,
    body bytea not null
  );
  create index resources_by_parent on resources (parent, type, name);

  create table conversations (
    id bigint generated always as identity primary key,
    name text collate "C" not null unique,
    app text collate "C" not null,
    start_time double precision not null,
    end_time double precision not null,
    turn_count integer not null,
    source integer not null,
    input_types text not null,
    entry_agent text not null,
    deployment text not null,
    app_version text not null,
    language_code text not null,
    state text not null,
    hidden integer not null default 0,
    due_time double precision
  ) with (fillfactor = 70);
  create index conversations_by_start on conversations (app, start_time, name);
  create index conversations_due on conversations (due_time) where due_time is not null;

  create table turns (
    id bigint generated always as identity primary key,
    conversation bigint not null,
    turn_index integer not null,
    body bytea not null,
    extra text not null,
    text text not null,
    words tsvector not null,
    withheld integer not null default 0,
    unique (conversation, turn_index)
  );
  alter table turns alter column body set storage external;
  create index turns_by_words on turns using gin (words);

  create table removed_conversations (id bigint primary key);

  create unlogged table leases (
    session text collate "C" primary key,
    owner text not null,
    token text not null,
    held boolean not null,
    previous text not null,
    used_time timestamptz not null default clock_timestamp()
  ) with (fillfactor = 50);

  create table replicas (
    id text collate "C" primary key,
    name text not null,
    schema_version integer not null,
    started_time timestamptz not null default clock_timestamp(),
    until timestamptz not null
  );

  create table changes (
    id bigint generated always as identity primary key,
    tx xid8 not null default pg_current_xact_id(),
    origin text not null,
    kind text not null,
    name text not null,
    type text not null,
    written_time timestamptz not null default clock_timestamp()
  );
  create index changes_by_tx on changes (tx);

  create function conversation_removed() returns trigger language plpgsql as $$
  begin
    insert into removed_conversations values (old.id);
    delete from leases where session = old.name;
    delete from a2a_tasks where conversation = old.name;
    return null;
  end $$;
  create trigger conversations_removed after delete on conversations
    for each row execute function conversation_removed();

  create table operations (
    name text collate "C" primary key,
    parent text collate "C" not null,
    subject text not null,
    done integer not null,
    create_time double precision not null,
    kind text not null,
    owner text not null,
    cancelling integer not null,
    metadata bytea not null,
    response bytea not null,
    error bytea not null
  );
  create index operations_by_parent on operations (parent, name);
  create index operations_unfinished on operations (create_time) where done = 0;

  create table exports (
    id bigint generated always as identity primary key,
    destination text collate "C" not null,
    app text collate "C" not null,
    created_time double precision not null,
    bytes integer not null,
    body text not null
  );
  create index exports_by_destination on exports (destination, id);
  create index exports_by_app on exports (app);

  create table credentials (
    id text collate "C" primary key,
    parent text collate "C" not null,
    kind text not null,
    principal text not null,
    secret_digest text not null,
    create_time double precision not null,
    expire_time double precision,
    last_used_time double precision,
    body text not null
  );
  create index credentials_by_parent on credentials (parent, id);
  create index credentials_by_expiry on credentials (expire_time) where expire_time is not null;

  create table audit (
    id bigint generated always as identity primary key,
    time double precision not null,
    principal text not null,
    method text not null,
    resource text collate "C" not null,
    body text not null
  );
  create index audit_by_time on audit (time);
  create function audit_is_never_changed() returns trigger language plpgsql as $$
  begin
    raise exception 'rows of the audit log are never changed';
  end $$;
  create trigger audit_is_never_changed before update on audit
    for each row execute function audit_is_never_changed();

  create table a2a_tasks (
    id text collate "C" primary key,
    owner text collate "C" not null,
    tenant text collate "C" not null,
    context_id text collate "C" not null,
    conversation text collate "C" not null,
    state integer not null,
    finished integer not null,
    turn integer not null,
    create_time double precision not null,
    update_time double precision not null,
    expire_time double precision,
    version integer not null,
    body bytea not null,
    server text not null
  );
  create index a2a_tasks_by_update on a2a_tasks (tenant, owner, update_time, id);
  create index a2a_tasks_by_context on a2a_tasks (tenant, owner, context_id, update_time, id);
  create index a2a_tasks_by_conversation on a2a_tasks (conversation);
  create index a2a_tasks_unfinished on a2a_tasks (update_time) where finished = 0;
  create index a2a_tasks_expiring on a2a_tasks (expire_time) where expire_time is not null;

  create table a2a_push_configs (
    task text collate "C" not null,
    id text collate "C" not null,
    create_time double precision not null,
    due_time double precision,
    attempts integer not null,
    body bytea not null,
    primary key (task, id)
  );
  create index a2a_push_configs_due on a2a_push_configs (due_time) where due_time is not null;
  create function a2a_task_removed() returns trigger language plpgsql as $$
  begin
    delete from a2a_push_configs where task = old.id;
    return null;
  end $$;
  create trigger a2a_push_configs_forget after delete on a2a_tasks
    for each row execute function a2a_task_removed();

  create table blobs (key text collate "C" primary key, bytes bytea not null);
  alter table blobs alter column bytes set storage external;

  create table server_keys (name text collate "C" primary key, sealed bytea not null);

  create table write_check (id integer primary key, checked_time double precision not null);
  `,
  },
  { oldest: 1, sql: TURN_FUNCTIONS },
  {
    oldest: 1,
    sql: `
  create table short_lived (
    kind text collate "C" not null,
    key text collate "C" not null,
    body text not null,
    expire_time double precision not null,
    primary key (kind, key)
  );
  create index short_lived_by_expiry on short_lived (kind, expire_time);
  `,
  },
  {
    oldest: 1,
    sql: `
  alter table operations add column attempts integer not null default 0;
  alter table operations add column due_time double precision;
  alter table operations add column dead integer not null default 0;
  alter table operations add column last_error bytea not null default '';
  create index operations_by_time on operations (parent, create_time, name);
  create index operations_dead on operations (parent, create_time, name) where dead = 1;
  `,
  },
  { oldest: 1, sql: "create index resources_by_update on resources (type, update_time, name)" },
  {
    oldest: 1,
    sql: `
  create table blob_ends (name text collate "C" primary key, end_time double precision not null);
  create index blob_ends_by_time on blob_ends (end_time);
  create index operations_done on operations (create_time) where done = 1 and dead = 0;
  `,
  },
  { oldest: 1, sql: TURN_FUNCTIONS },
  {
    oldest: 1,
    // The functions as they are now: a database may have those of an earlier release. A removed conversation leaves a lease that nobody holds.
    sql: `${TURN_FUNCTIONS}
  create or replace function conversation_removed() returns trigger language plpgsql as $$
  begin
    insert into removed_conversations values (old.id);
    update leases set owner = '', token = '', held = false, used_time = clock_timestamp() where session = old.name;
    delete from a2a_tasks where conversation = old.name;
    return null;
  end $$;
  `,
  },
  {
    oldest: 1,
    sql: `
  alter table audit add column entry text collate "C";
  create unique index audit_by_entry on audit (entry) where entry is not null;
  `,
  },
  {
    oldest: 1,
    // Where a server takes turns of the others; null where it takes none, as those of an earlier release.
    sql: `
  alter table replicas add column host text collate "C";
  alter table replicas add column port integer;
  alter table replicas add column sealed_key bytea;
  `,
  },
];

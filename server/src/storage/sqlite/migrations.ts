import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "#base";
import { StorageError } from "../errors.ts";

/** The migrations of the schema: the place in the list is the version, from 1. Released ones never change; new ones go to the end. */
const MIGRATIONS: readonly string[] = [
  `
  create table resources (
    name text not null primary key,
    type text not null,
    parent text not null,
    display_name text not null,
    create_time real not null,
    update_time real not null,
    etag text not null,
    body blob not null
  ) strict;
  create index resources_by_parent on resources (parent, type, name);

  create table conversations (
    id integer primary key autoincrement,
    name text not null unique,
    app text not null,
    start_time real not null,
    end_time real not null,
    turn_count integer not null,
    source integer not null,
    input_types text not null,
    entry_agent text not null,
    deployment text not null,
    app_version text not null,
    language_code text not null,
    state text not null
  ) strict;
  create index conversations_by_start on conversations (app, start_time, name);

  create table turns (
    id integer primary key autoincrement,
    conversation integer not null,
    turn_index integer not null,
    body blob not null,
    extra text not null,
    text text not null,
    unique (conversation, turn_index)
  ) strict;

  create table removed_conversations (id integer primary key) strict;
  create trigger conversations_removed after delete on conversations
  begin
    insert into removed_conversations values (old.id);
  end;

  create virtual table turn_words using fts5 (
    text, conversation unindexed, content = '', contentless_delete = 1, contentless_unindexed = 1,
    tokenize = 'unicode61 remove_diacritics 2'
  );
  create table turn_words_progress (last_turn integer not null) strict;
  insert into turn_words_progress values (0);
  create trigger turn_words_forget after delete on turns
  when old.id <= (select last_turn from turn_words_progress)
  begin
    delete from turn_words where rowid = old.id;
  end;

  create table operations (
    name text not null primary key,
    parent text not null,
    done integer not null,
    create_time real not null,
    kind text not null,
    metadata blob not null,
    response blob not null,
    error blob not null
  ) strict;
  create index operations_by_parent on operations (parent, name);
  create index operations_unfinished on operations (create_time) where done = 0;

  create table write_check (id integer primary key, checked_time real not null) strict;
  `,
  `
  alter table conversations add column hidden integer not null default 0;
  alter table conversations add column due_time real;
  create index conversations_due on conversations (due_time) where due_time is not null;
  `,
  `
  create table exports (
    id integer primary key autoincrement,
    destination text not null,
    created_time real not null,
    bytes integer not null,
    body text not null
  ) strict;
  create index exports_by_destination on exports (destination, id, bytes);
  `,
  `
  create table credentials (
    id text not null primary key,
    parent text not null,
    kind text not null,
    principal text not null,
    secret_digest text not null,
    create_time real not null,
    expire_time real,
    last_used_time real,
    body text not null
  ) strict;
  create index credentials_by_parent on credentials (parent, id);
  create index credentials_by_expiry on credentials (expire_time) where expire_time is not null;
  `,
  `
  create table audit (
    id integer primary key autoincrement,
    time real not null,
    principal text not null,
    method text not null,
    resource text not null,
    body text not null
  ) strict;
  create index audit_by_time on audit (time);
  create trigger audit_is_never_changed before update on audit begin
    select raise(abort, 'rows of the audit log are never changed');
  end;
  `,
  "alter table operations add column subject text not null default ''",
  `
  alter table exports add column app text not null default '';
  create index exports_by_app on exports (app);
    `,
  `
  create table a2a_tasks (
    id text not null primary key,
    owner text not null,
    tenant text not null,
    context_id text not null,
    conversation text not null,
    state integer not null,
    finished integer not null,
    turn integer not null,
    create_time real not null,
    update_time real not null,
    expire_time real,
    version integer not null,
    body blob not null
  ) strict;
  create index a2a_tasks_by_update on a2a_tasks (tenant, owner, update_time, id);
  create index a2a_tasks_by_context on a2a_tasks (tenant, owner, context_id, update_time, id);
  create index a2a_tasks_by_conversation on a2a_tasks (conversation);
  create index a2a_tasks_unfinished on a2a_tasks (update_time) where finished = 0;
  create index a2a_tasks_expiring on a2a_tasks (expire_time) where expire_time is not null;
  create trigger a2a_tasks_forget after delete on conversations
  begin
    delete from a2a_tasks where conversation = old.name;
  end;

  create table a2a_push_configs (
    task text not null,
    id text not null,
    create_time real not null,
    due_time real,
    attempts integer not null,
    body blob not null,
    primary key (task, id)
  ) strict;
  create index a2a_push_configs_due on a2a_push_configs (due_time) where due_time is not null;
  create trigger a2a_push_configs_forget after delete on a2a_tasks
  begin
    delete from a2a_push_configs where task = old.id;
  end;
  `,
  "alter table turns add column withheld integer not null default 0",
  `
  alter table operations add column owner text not null default '';
  alter table operations add column cancelling integer not null default 0;
  alter table a2a_tasks add column server text not null default '';
  `,
  `
  create table short_lived (
    kind text not null,
    key text not null,
    body text not null,
    expire_time real not null,
    primary key (kind, key)
  ) strict, without rowid;
  create index short_lived_by_expiry on short_lived (kind, expire_time);
  `,
  `
  alter table operations add column attempts integer not null default 0;
  alter table operations add column due_time real;
  alter table operations add column dead integer not null default 0;
  alter table operations add column last_error blob not null default x'';
  create index operations_by_time on operations (parent, create_time, name);
  create index operations_dead on operations (parent, create_time, name) where dead = 1;
  `,
  "create index resources_by_update on resources (type, update_time, name)",
  `
  create table blob_ends (name text not null primary key, end_time real not null) strict, without rowid;
  create index blob_ends_by_time on blob_ends (end_time);
  create index operations_done on operations (create_time) where done = 1 and dead = 0;
  `,
  `
  alter table audit add column entry text;
  create unique index audit_by_entry on audit (entry) where entry is not null;
  `,
  `
  alter table turn_words_progress add column forgotten integer not null default 0;
  drop trigger turn_words_forget;
  create trigger turn_words_forget after delete on turns
  when old.id <= (select last_turn from turn_words_progress)
  begin
    delete from turn_words where rowid = old.id;
    update turn_words_progress set forgotten = forgotten + 1;
  end;
  `,
];

/**
 * Migrates the schema to the version of this program, in one transaction. Throws NEWER_SCHEMA for a newer one: this program could
 * overwrite what it does not know.
 */
export function migrate(
  database: DatabaseSync,
  path: string,
  clock: Clock,
  migrations: readonly string[] = MIGRATIONS,
): void {
  database.exec(
    "create table if not exists schema_version (version integer primary key, applied_time real not null) strict",
  );
  const found = database.prepare("select coalesce(max(version), 0) as version from schema_version").get()?.version;
  const version = Number(found);
  if (version > migrations.length) throw newerSchema(path, version, migrations.length);
  if (version === migrations.length) return;
  const record = database.prepare("insert into schema_version (version, applied_time) values (?, ?)");
  database.exec("begin immediate");
  try {
    for (const [at, migration] of migrations.slice(version).entries()) {
      database.exec(migration);
      record.run(version + at + 1, clock.now());
    }
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function newerSchema(path: string, found: number, known: number): StorageError {
  return new StorageError(
    "NEWER_SCHEMA",
    `The database '${path}' has schema version ${found}, and this release knows only ${known}: start the release that wrote it, or a newer one.`,
  );
}

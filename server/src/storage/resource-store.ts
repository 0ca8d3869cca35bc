import { type Expression, type SqlBool, sql } from "kysely";
import { mapWithPauses, unreachable, yieldToEventLoop } from "#base";
import type { Page, ResourceQuery, ResourceRow, ResourceStore, ResourceWrite } from "./contract.ts";
import type { Change, Engine, Sharing, Step } from "./engine.ts";
import { StaleEtagError } from "./errors.ts";
import { createGenerations } from "./generations.ts";
import { inGroups, inTree, type Parameter, prepare, toPage } from "./queries.ts";
import { removeConversationsBelow } from "./remove-in-pieces.ts";
import type { StoredResource } from "./tables.ts";

/** Rows that are read at once: other calls run in between. */
const CHILDREN_PER_QUERY = 200;

/** The configuration resources over any dialect. */
export function createResourceStore(engine: Engine): ResourceStore {
  const { queries } = engine;
  const generations = createGenerations();
  const statements = prepareWrites(engine);
  const getByName = prepare<{ name: string }>()((parameter) =>
    queries.selectFrom("resources").selectAll().where("name", "=", parameter("name")),
  );

  async function get(name: string): Promise<ResourceRow | undefined> {
    const [row] = await engine.all(getByName({ name }));
    return row && toResourceRow(row);
  }

  async function getMany(names: readonly string[]): Promise<ReadonlyMap<string, ResourceRow>> {
    const found = new Map<string, ResourceRow>();
    for (const some of inGroups(names)) {
      const rows = await engine.all(queries.selectFrom("resources").selectAll().where("name", "in", some).compile());
      for (const row of rows) found.set(row.name, toResourceRow(row));
      if (names.length > some.length) await yieldToEventLoop();
    }
    return found;
  }

  async function list(query: ResourceQuery): Promise<Page<ResourceRow>> {
    const rows = await engine.all(selectPage(engine, query));
    return toPage(rows, query.limit, toResourceRow, (row) => [row[query.orderBy], row.name]);
  }

  async function names({ type, parent }: Pick<ResourceQuery, "type" | "parent">): Promise<readonly string[]> {
    const below = queries
      .selectFrom("resources")
      .select("name")
      .where("type", "=", type)
      .where(isBelow(engine, parent));
    return (await engine.all(below.orderBy("parent").orderBy("name").compile())).map(({ name }) => name);
  }

  async function write(writes: readonly ResourceWrite[]): Promise<void> {
    if (writes.length === 0) return;
    await emptyTrees(engine, writes, get);
    const steps = await stepsOf(engine, statements, writes);
    const changes = writes.map(toChange);
    const announcement = engine.sharing ? [engine.sharing.announce(changes)] : [];
    const outcome = await engine.commit([...steps.map(({ step }) => step), ...announcement]);
    if (outcome.kind === "condition-failed") throw new StaleEtagError(nameOf(steps[outcome.step]?.one));
    for (const change of changes) bump(change);
  }

  function bump({ kind, name, type }: Change): void {
    if (kind === "tree") generations.bumpTree(name);
    else if (kind === "resource") generations.bump(name, type || undefined);
  }

  const counted = { generation: generations.of, changedSince: generations.changedSince };
  const store = { get, getMany, list, names, ...readChildren(engine, get), write, ...counted };
  return engine.sharing ? { ...store, ...followOthers(engine.sharing, bump, generations.bumpAll) } : store;
}

/** The reads of children. `get` reads a resource by its name. */
function readChildren(engine: Engine, get: ResourceStore["get"]): Pick<ResourceStore, "children" | "withChildren"> {
  const someOf = selectSomeOfFamily(engine);
  const childrenOfType = selectChildrenOfType(engine);

  async function withChildren(name: string, types: readonly string[]): Promise<readonly ResourceRow[]> {
    // Most have few children: one round trip then.
    const few = await engine.all(someOf(name, types));
    if (few.length < CHILDREN_PER_QUERY) return few.map(toResourceRow).sort(byTypeAndName);
    const own = await get(name);
    const all = await children(name, types);
    return own ? [own, ...all] : all;
  }

  async function children(parent: string, types: readonly string[]): Promise<readonly ResourceRow[]> {
    const found: ResourceRow[] = [];
    for (const type of types.toSorted()) {
      for (let after = ""; ; ) {
        const rows = await engine.all(childrenOfType({ parent, type, after }));
        for (const row of rows) found.push(toResourceRow(row));
        const last = rows.at(-1);
        if (!last || rows.length < CHILDREN_PER_QUERY) break;
        after = last.name;
        await yieldToEventLoop();
      }
    }
    return found;
  }

  return { children, withChildren };
}

/** One row more than the page has says whether another page follows. */
function selectPage(engine: Engine, { type, parent, among, orderBy, descending, after, limit }: ResourceQuery) {
  const direction = descending ? "desc" : "asc";
  const beyond = sql.raw(descending ? "<" : ">");
  const page = engine.queries
    .selectFrom("resources")
    .$if(among === undefined, (select) => select.where("type", "=", type))
    .where(isBelow(engine, parent))
    .$if(after !== undefined, (select) =>
      select.where(sql<SqlBool>`(${sql.ref(orderBy)}, ${sql.ref("name")}) ${beyond} (${after?.[0]}, ${after?.[1]})`),
    )
    .orderBy(orderBy, direction)
    .orderBy("name", direction)
    .limit(limit + 1);
  if (!among) return page.selectAll().compile();
  // By the names and not by an index that has the type, in which SQLite would look at all rows of it. What is sorted has no bodies: only those of the page are read.
  const isOfType = sql<SqlBool>`${sql.ref("type")} || '' = ${type}`;
  const named = page.select("name").where(engine.isNamed(among)).where(isOfType);
  return engine.queries
    .selectFrom("resources")
    .selectAll()
    .where("name", "in", named)
    .orderBy(orderBy, direction)
    .orderBy("name", direction)
    .compile();
}

function isBelow(engine: Engine, parent: string): Expression<SqlBool> {
  return parent.split("/").includes("-") ? engine.matchesParent(parent) : sql<SqlBool>`parent = ${parent}`;
}

/** Counts the writes of other servers, and reports them. */
function followOthers(
  { refresh, onChange }: Sharing,
  bump: (change: Change) => void,
  bumpAll: () => void,
): Pick<ResourceStore, "refresh" | "onForeignWrite"> {
  onChange((change) => {
    if (change === undefined) bumpAll();
    else if (change.kind !== "value") bump(change);
  });
  const onForeignWrite: ResourceStore["onForeignWrite"] = (listener) =>
    onChange((change) => {
      if (change === undefined) listener(undefined);
      else if (change.kind === "resource" || change.kind === "tree") listener({ kind: change.kind, name: change.name });
    });
  return { refresh, onForeignWrite };
}

function toChange(write: ResourceWrite): Change {
  const kind = write.kind === "delete-tree" ? "tree" : "resource";
  return { kind, name: nameOf(write), type: typeOf(write) };
}

function typeOf(write: ResourceWrite): string {
  if (write.kind === "put" || write.kind === "replace") return write.row.type;
  return write.kind === "delete" ? (write.type ?? "") : "";
}

/** A resource and its children of these types, in no order, at most as many as are read at once. */
function selectSomeOfFamily({ queries }: Engine) {
  const compile = (count: number) => {
    const keys = Array.from({ length: count }, (_, at) => `type ${at}`);
    return prepare<Record<string, string>>()((parameter) => {
      const own = queries.selectFrom("resources").selectAll().where("name", "=", parameter("name"));
      const children = queries
        .selectFrom("resources")
        .selectAll()
        .where("parent", "=", parameter("name"))
        .where("type", "in", keys.map(parameter));
      // Two lookups: one condition with `or` took PostgreSQL five times the pages.
      return own.unionAll(children).limit(CHILDREN_PER_QUERY);
    });
  };
  const byCount = new Map<number, ReturnType<typeof compile>>();
  return (name: string, types: readonly string[]) => {
    const known = byCount.get(types.length) ?? compile(types.length);
    byCount.set(types.length, known);
    return known({ name, ...Object.fromEntries(types.map((type, at) => [`type ${at}`, type])) });
  };
}

function selectChildrenOfType({ queries }: Engine) {
  return prepare<{ parent: string; type: string; after: string }>()((parameter) =>
    queries
      .selectFrom("resources")
      .selectAll()
      .where("parent", "=", parameter("parent"))
      .where("type", "=", parameter("type"))
      .where("name", ">", parameter("after"))
      .orderBy("name")
      .limit(CHILDREN_PER_QUERY),
  );
}

function byTypeAndName(a: ResourceRow, b: ResourceRow): number {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

/**
 * Empties the trees that are to be deleted of what may be millions of rows (DB-27). What the writes depend on is looked at first, so that a deletion that is refused removes
 * nothing.
 */
async function emptyTrees(engine: Engine, writes: readonly ResourceWrite[], get: ResourceStore["get"]): Promise<void> {
  const trees = writes.filter((one) => one.kind === "delete-tree");
  if (trees.length === 0) return;
  for (const one of writes) {
    const ifEtag = one.kind === "put" || one.kind === "delete" ? one.ifEtag : undefined;
    if (ifEtag !== undefined && ((await get(nameOf(one)))?.etag ?? "") !== ifEtag)
      throw new StaleEtagError(nameOf(one));
  }
  for (const tree of trees) await removeConversationsBelow(engine, nameOf(tree));
}

type WriteStatements = ReturnType<typeof prepareWrites>;

/** The steps of writes, each with its write. Other calls run while those of an import are made. */
async function stepsOf(
  engine: Engine,
  statements: WriteStatements,
  writes: readonly ResourceWrite[],
): Promise<readonly { readonly step: Step; readonly one: ResourceWrite }[]> {
  const steps = await mapWithPauses(writes, (one) => toSteps(engine, statements, one).map((step) => ({ step, one })));
  return steps.flat();
}

function toSteps(engine: Engine, statements: WriteStatements, write: ResourceWrite): readonly Step[] {
  switch (write.kind) {
    case "put":
      return [putStep(statements, write.row, write.ifEtag)];
    case "replace":
      return [statements.replace(toStoredResource(write.row))];
    case "delete":
      return [deleteStep(engine, write.name, write.ifEtag)];
    case "delete-tree":
      return [
        engine.queries
          .deleteFrom("resources")
          .where((builder) => inTree(builder, write.prefix))
          .compile(),
        engine.queries
          .deleteFrom("conversations")
          .where((builder) => inTree(builder, write.prefix))
          .compile(),
        engine.queries.deleteFrom("exports").where("app", "=", write.prefix.replace(/\/$/, "")).compile(),
      ];
    default:
      return unreachable(write);
  }
}

/** Statements of a write, compiled once: an import writes thousands of rows. */
function prepareWrites({ queries }: Engine) {
  const change = (parameter: Parameter<StoredResource>) =>
    queries.updateTable("resources").set(columnsOf(parameter)).where("name", "=", parameter("name"));
  const insert = (parameter: Parameter<PutValues>) =>
    queries.insertInto("resources").values({ name: parameter("name"), ...columnsOf(parameter) });
  return {
    put: prepare<PutValues>()((parameter) =>
      insert(parameter).onConflict((conflict) => conflict.column("name").doUpdateSet(columnsOf(parameter))),
    ),
    create: prepare<PutValues>()((parameter) =>
      insert(parameter).onConflict((conflict) => conflict.column("name").doNothing()),
    ),
    update: prepare<PutValues>()((parameter) => change(parameter).where("etag", "=", parameter("ifEtag"))),
    replace: prepare<StoredResource>()((parameter) => change(parameter)),
  };
}

type PutValues = StoredResource & { readonly ifEtag: string };

function columnsOf(parameter: Parameter<StoredResource>) {
  return {
    type: parameter("type"),
    parent: parameter("parent"),
    display_name: parameter("display_name"),
    create_time: parameter("create_time"),
    update_time: parameter("update_time"),
    etag: parameter("etag"),
    body: parameter("body"),
  };
}

function putStep(statements: WriteStatements, row: ResourceRow, ifEtag: string | undefined): Step {
  const values = { ...toStoredResource(row), ifEtag: ifEtag ?? "" };
  if (ifEtag === undefined) return statements.put(values);
  return { ...(ifEtag === "" ? statements.create(values) : statements.update(values)), changes: 1 };
}

function deleteStep({ queries }: Engine, name: string, ifEtag: string | undefined): Step {
  const remove = queries.deleteFrom("resources").where("name", "=", name);
  if (ifEtag === undefined) return remove.compile();
  // "" means that the row must not exist: the condition is that no row is deleted.
  if (ifEtag === "") return { ...remove.compile(), changes: 0 };
  return { ...remove.where("etag", "=", ifEtag).compile(), changes: 1 };
}

function nameOf(write: ResourceWrite | undefined): string {
  if (write === undefined) return "";
  if (write.kind === "put" || write.kind === "replace") return write.row.name;
  return write.kind === "delete" ? write.name : write.prefix.replace(/\/$/, "");
}

function toStoredResource(row: ResourceRow): StoredResource {
  const { name, type, parent, displayName, createTime, updateTime, etag, body } = row;
  return {
    name,
    type,
    parent,
    display_name: displayName,
    create_time: createTime,
    update_time: updateTime,
    etag,
    body,
  };
}

function toResourceRow(row: StoredResource): ResourceRow {
  return {
    name: row.name,
    type: row.type,
    parent: row.parent,
    displayName: row.display_name,
    createTime: row.create_time,
    updateTime: row.update_time,
    etag: row.etag,
    body: row.body,
  };
}

import { Code, ConnectError } from "@connectrpc/connect";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { type FieldErrors, fieldErrors, NO_ERRORS } from "../../api/field-errors.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { resourceQuery, useRefresh } from "../../api/use-resources.ts";
import { changedMembers, type Member, maskOf, readMember, sameMember, withMember } from "./members.ts";
import { applyEdits, clearEdits, readEdits, storeEdits } from "./stored-edits.ts";
import { useStored } from "./use-stored.ts";

/** A resource while it is edited: what the person made of it, and what became of the attempt to save it. */
export interface ResourceEditor<Kind extends Resource> {
  readonly value: Kind;
  /** The resource as the changes were begun on. */
  readonly base: Kind;
  /** The resource as the server has it now. */
  readonly server: Kind;
  readonly changed: readonly Member[];
  readonly saving: boolean;
  readonly error: StatusError | undefined;
  readonly errors: FieldErrors;
  /** Somebody else changed the resource since the changes were begun. */
  readonly stale: boolean;
  /** Saving was rejected for that reason; show both texts. */
  readonly conflict: boolean;
  /** The changes are from an earlier visit. */
  readonly restoredFrom: number | undefined;
  /** The browser has no storage left for the changes. */
  readonly storageFull: boolean;
  set(next: Kind): void;
  /** Resolves to whether the server took it. */
  save(): Promise<boolean>;
  discard(): void;
  /** Resolves a conflict: applies the edits to the resource of the server, except for the fields in `theirs`. */
  rebase(theirs: ReadonlySet<string>): void;
}

interface State<Kind> {
  readonly base: Kind;
  readonly value: Kind;
  readonly restoredFrom?: number;
  readonly error?: StatusError;
  readonly errors: FieldErrors;
  readonly conflict: boolean;
}

/** Edits a resource that other clients may change at the same time. Without edits it follows the server. */
export function useResourceEditor<Kind extends Resource>(
  kind: Pick<ResourceType<Kind>, "schema" | "field" | "update" | "validate" | "collection" | "list" | "get">,
  server: Kind,
): ResourceEditor<Kind> {
  const { schema } = kind;
  const [state, setState] = useState<State<Kind>>(() => opened(schema, server));
  const [saving, setSaving] = useState(false);
  const [storageFull, setUnkept] = useState(false);
  const queries = useQueryClient();
  const refresh = useRefresh();
  const changed = useMemo(() => changedMembers(schema, state.base, state.value), [schema, state.base, state.value]);
  const dirty = changed.length > 0;

  if (!dirty && state.base.etag !== server.etag && !saving) setState(clean(server));

  const store = useCallback(() => {
    if (dirty) setUnkept(!storeEdits(schema, state.base.etag, changed, state.value));
    else clearEdits(state.value.name);
  }, [schema, changed, dirty, state.base.etag, state.value]);
  useStored(store);

  const save = async (): Promise<boolean> => {
    if (!dirty) return true;
    const errors = kind.validate?.(state.value, state.base) ?? NO_ERRORS;
    if (errors.size > 0) {
      const error = { message: [...errors.values()].join(" "), code: "INVALID_ARGUMENT" };
      setState((now) => ({ ...now, conflict: false, error, errors }));
      return false;
    }
    setSaving(true);
    try {
      const mask = maskOf(changed, state.base, state.value);
      const saved = await kind.update({ ...state.value, etag: state.base.etag }, mask);
      queries.setQueryData(resourceQuery(kind, saved.name).queryKey, saved);
      clearEdits(saved.name);
      setState((now) => (now.value === state.value ? clean(saved) : { ...now, base: saved, errors: NO_ERRORS }));
      void refresh();
      return true;
    } catch (thrown) {
      const conflict = ConnectError.from(thrown).code === Code.Aborted;
      if (conflict) await queries.invalidateQueries(resourceQuery(kind, server.name));
      const error = toStatusError(thrown);
      setState((now) => ({ ...now, conflict, error, errors: fieldErrors(thrown, kind.field) }));
      return false;
    } finally {
      setSaving(false);
    }
  };

  return {
    ...state,
    server,
    changed,
    saving,
    storageFull,
    error: state.error,
    restoredFrom: state.restoredFrom,
    stale: dirty && state.base.etag !== server.etag,
    set: (value) => setState((now) => ({ ...now, value })),
    save,
    discard: () => {
      clearEdits(server.name);
      setState(clean(server));
    },
    rebase: (theirs) => setState(rebased(schema, server, state, theirs)),
  };
}

function opened<Kind extends Resource>(schema: ResourceType["schema"], server: Kind): State<Kind> {
  const stored = readEdits(server.name);
  const value = stored && applyEdits(schema, server, stored);
  if (!stored || !value || changedMembers(schema, server, value).length === 0) return clean(server);
  return { ...clean(server), base: { ...server, etag: stored.etag }, value, restoredFrom: stored.at };
}

function clean<Kind>(server: Kind): State<Kind> {
  return { base: server, value: server, errors: NO_ERRORS, conflict: false };
}

function rebased<Kind extends Resource>(
  schema: ResourceType["schema"],
  server: Kind,
  { base, value }: State<Kind>,
  theirs: ReadonlySet<string>,
): State<Kind> {
  const mine = changedMembers(schema, base, value).filter(
    (member) => !theirs.has(member.localName) && !sameMember(schema, member, server, value),
  );
  const merged = mine.reduce((into, member) => withMember(into, member, readMember(value, member)), server);
  return { ...clean(server), value: merged };
}

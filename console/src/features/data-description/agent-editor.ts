import { clone, create, equals } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { errorAt, type FieldErrors, fieldErrors, NO_ERRORS } from "../../api/field-errors.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { transport } from "../../api/transport.ts";
import { clearEdits } from "../editing/stored-edits.ts";
import { useStored } from "../editing/use-stored.ts";
import { contextOf, contextPath, onlyPart, PARTS, type Part } from "./agent-parts.ts";
import { descriptionErrors, tidied } from "./description-errors.ts";
import { readDescription, storeDescription } from "./stored-description.ts";

/** A data agent while it is described. */
export interface AgentEditor {
  readonly agent: DataAgent;
  /** The context that answers: the published one, else the staging one. */
  readonly context: Context;
  /** What differs from what was read. */
  readonly changed: readonly Part[];
  readonly saving: boolean;
  readonly error: StatusError | undefined;
  /** What somebody else changed meanwhile, too; nothing is saved until the person decides. */
  readonly conflict: readonly Part[];
  /** Changes whenever the fields are filled with what somebody else wrote. */
  readonly revision: number;
  /** When the changes were made, if in an earlier visit. */
  readonly restoredFrom: number | undefined;
  /** The browser has no storage left for the changes. */
  readonly storageFull: boolean;
  /** Violation of a field, by its path within the context (`glossary_terms[0].display_name`), or within the agent. */
  errorOf(path: string): string | undefined;
  change(edit: (agent: DataAgent) => void): void;
  changeContext(edit: (context: Context) => void): void;
  /** `overwrite`: also where somebody else changed the same parts. */
  save(overwrite?: boolean): Promise<void>;
  /** Begins again with what the server has. */
  discard(): void;
}

interface State {
  /** What was found of the server last. */
  readonly seen: DataAgent;
  /** As it was read. */
  readonly base: DataAgent;
  readonly draft: DataAgent;
  readonly saving: boolean;
  readonly error: StatusError | undefined;
  readonly errors: FieldErrors;
  readonly conflict: readonly Part[];
  readonly revision: number;
  readonly restoredFrom?: number;
}

const client = createClient(DataAgentService, transport);

/**
 * Edits the parts of a data agent that say what its data means. The agent is read again before it is written: only the parts that were changed are sent, with
 * the etag of what was read, and a part that somebody else changed meanwhile is not overwritten unasked.
 */
export function useAgentEditor(server: DataAgent): AgentEditor {
  const [state, setState] = useState<State>(() => opened(server));
  const refresh = useRefreshAgents();
  const { base, draft } = state;
  const changed = changedParts(base, draft);
  if (server !== state.seen && !state.saving) {
    const isNew = changed.length === 0 && !equals(DataAgentSchema, base, server);
    setState(isNew ? begun(server, state.revision + 1) : { ...state, seen: server });
  }

  const storageFull = useStoredDescription(base, draft);

  const save = async (overwrite = false): Promise<void> => {
    const sent = tidied(draft);
    const faults = descriptionErrors(contextOf(sent));
    setState((now) => ({
      ...now,
      draft: sent,
      saving: faults.size === 0,
      error: undefined,
      errors: faults,
      conflict: [],
    }));
    if (faults.size > 0) return;
    try {
      const theirs = await client.getDataAgent({ name: base.name });
      const conflict = changed.filter((part) => !isSame(part, base, theirs));
      if (conflict.length > 0 && !overwrite) return setState((now) => ({ ...now, saving: false, conflict }));
      const saved = await client.updateDataAgentSync(updateOf(sent, changed, theirs.etag));
      setState((now) => ({ ...begun(saved, now.revision), seen: now.seen }));
      await refresh();
    } catch (thrown) {
      // Somebody wrote between the reading and the writing.
      if (toStatusError(thrown).code === "ABORTED") return save(overwrite);
      const errors = fieldErrors(thrown, "data_agent");
      setState((now) => ({
        ...now,
        saving: false,
        error: toStatusError(thrown),
        errors: withinContext(errors, contextPath(sent)),
      }));
    }
  };

  const change = (edit: (agent: DataAgent) => void) =>
    setState((now) => {
      const after = clone(DataAgentSchema, now.draft);
      edit(after);
      return { ...now, draft: after };
    });
  const discard = () => {
    setState((now) => begun(server, now.revision + 1));
    void refresh();
  };
  return {
    ...state,
    restoredFrom: state.restoredFrom,
    storageFull,
    agent: draft,
    context: contextOf(draft),
    changed,
    errorOf: (path) => errorAt(state.errors, path),
    change,
    changeContext: (edit) => change((agent) => edit(ownContext(agent))),
    save,
    discard,
  };
}

/** The request that writes these parts alone. */
function updateOf(sent: DataAgent, parts: readonly Part[], etag: string) {
  return {
    dataAgent: parts.reduce(
      (into, part) => onlyPart(part, sent, into),
      create(DataAgentSchema, { name: sent.name, etag }),
    ),
    updateMask: { paths: parts.map(({ field, ofContext }) => (ofContext ? `${contextPath(sent)}.${field}` : field)) },
  };
}

/** Reads data agents again, on every page. */
export function useRefreshAgents(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const { getDataAgent, listDataAgents } = DataAgentService.method;
    const keys = [
      createConnectQueryKey({ schema: getDataAgent, cardinality: "finite" }),
      createConnectQueryKey({ schema: listDataAgents, cardinality: undefined }),
    ];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}

/** Keeps what is not saved over reloads. Answers whether the browser has no room for it. */
function useStoredDescription(base: DataAgent, draft: DataAgent): boolean {
  const [isFull, setFull] = useState(false);
  const store = useCallback(() => {
    const parts = changedParts(base, draft);
    if (parts.length > 0) setFull(!storeDescription(base, draft, parts));
    else clearEdits(base.name);
  }, [base, draft]);
  useStored(store);
  return isFull;
}

/** With what an earlier visit left unsaved. */
function opened(server: DataAgent): State {
  const stored = readDescription(server);
  const state = begun(server, 0);
  if (!stored || changedParts(stored.base, stored.draft).length === 0) return state;
  return { ...state, base: stored.base, draft: stored.draft, restoredFrom: stored.at };
}

function begun(agent: DataAgent, revision: number): State {
  const { seen, base, draft } = { seen: agent, base: agent, draft: agent };
  return { seen, base, draft, saving: false, error: undefined, errors: NO_ERRORS, conflict: [], revision };
}

function changedParts(base: DataAgent, draft: DataAgent): readonly Part[] {
  return PARTS.filter((part) => !isSame(part, base, draft));
}

function isSame(part: Part, one: DataAgent, other: DataAgent): boolean {
  const only = (agent: DataAgent) => onlyPart(part, agent, create(DataAgentSchema));
  return equals(DataAgentSchema, only(one), only(other));
}

/** The context of a draft, made where it has none. */
function ownContext(agent: DataAgent): Context {
  if (agent.type.case !== "dataAnalyticsAgent")
    agent.type = create(DataAgentSchema, { type: { case: "dataAnalyticsAgent", value: {} } }).type;
  const { value } = agent.type;
  if (!value) throw new Error("a data agent has one type");
  if (!value.publishedContext && !value.stagingContext) value.publishedContext = create(ContextSchema);
  return value.publishedContext ?? value.stagingContext ?? create(ContextSchema);
}

function withinContext(errors: FieldErrors, context: string): FieldErrors {
  const strip = (path: string) => (path.startsWith(`${context}.`) ? path.slice(context.length + 1) : path);
  return new Map([...errors].map(([path, description]) => [strip(path), description]));
}

import { clone } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import {
  type ImportEvaluationsRequest,
  ImportEvaluationsRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/evaluation_service";
import { resourceIdViolations } from "#aip";
import { createPauses, type Ids, type Logger, type ObjectStorage } from "#base";
import { ConnectError, invalidArgument, logFault, toStatusError } from "#status";
import type { EvaluationResources } from "../contract.ts";
import type { FileEntry } from "./evaluation-file.ts";
import { type ImportSource, readImportSource } from "./import-source.ts";

/** What imports need. */
export interface ImportDeps {
  readonly resources: EvaluationResources;
  readonly ids: Ids;
  /** Where faults of the server go that an error message can only call internal. */
  readonly logger: Logger;
  /** Where files at `gs://` addresses are. */
  readonly objects: ObjectStorage;
}

/** What one import needs besides. */
export interface ImportCallDeps extends ImportDeps {
  /** Who imports; "" when unknown. */
  readonly author: string;
}

/** INVALID_ARGUMENT for what can be said of an import before it starts. */
export function checkImport({ source }: ImportEvaluationsRequest): void {
  if (source.case !== undefined) return;
  const description = "Set one of conversation_list, gcs_uri and csv_content.";
  throw invalidArgument({ field: "source", description });
}

/**
 * Imports evaluations, results and runs (EVAL-46). One that cannot be written is an error message with its place, and the others go on. INVALID_ARGUMENT when the source cannot be read at all.
 */
export async function importEvaluations(request: ImportEvaluationsRequest, deps: ImportCallDeps, signal: AbortSignal) {
  const source = await readImportSource(request, deps, signal);
  const strategy =
    request.importOptions?.conflictResolutionStrategy ?? Strategy.CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED;
  return new Import(request.parent, strategy, source, deps).run(signal);
}

/** Error messages of an import that are told, at most: as many as violations of a request (WIRE-26). */
const MAX_MESSAGES = 1_000;

function reportedMessages(messages: readonly string[]): string[] {
  const more = messages.length - MAX_MESSAGES;
  return more <= 0 ? [...messages] : [...messages.slice(0, MAX_MESSAGES), `${more} more.`];
}

/** Evaluations that are made in one transaction. */
const TOGETHER = 200;

interface Imported<M> {
  readonly imported: M[];
  failures: number;
}

/** The id that an evaluation has in the file; "" where it could not be one. */
function freeIdOf({ name }: Evaluation): string {
  const id = name.slice(name.lastIndexOf("/") + 1);
  return resourceIdViolations("name", id).length === 0 ? id : "";
}

function twice({ displayName }: Evaluation): string {
  return `'${displayName}' is twice in the file, by id or display name. Rename one, or set conflict_resolution_strategy to DUPLICATE.`;
}

/** One import, which knows what has which name. */
class Import {
  readonly #app: string;
  readonly #strategy: Strategy;
  readonly #source: ImportSource;
  readonly #deps: ImportCallDeps;
  readonly #messages: string[];
  readonly #runsOfFile: ReadonlySet<string>;
  /** Resource names of the app's evaluations, and these by display name. */
  readonly #taken = new Set<string>();
  readonly #displayNames = new Map<string, string>();
  /** Those that were written for the file: another entry must not replace them. */
  readonly #written = new Set<string>();
  /** Results that were written, by their names; they are ours to change. */
  readonly #results = new Map<string, EvaluationResult>();
  /** Those of each run, by the name that the file gives it. */
  readonly #resultsOfRun = new Map<string, EvaluationResult[]>();
  /** Whether the app had a run before the import, by its name. */
  readonly #hadRun = new Map<string, boolean>();
  /** Where an evaluation, result or run of the file is now, when its name has changed. */
  readonly #renamed = new Map<string, string>();

  constructor(app: string, strategy: Strategy, source: ImportSource, deps: ImportCallDeps) {
    this.#app = app;
    this.#strategy = strategy;
    this.#source = source;
    this.#deps = deps;
    this.#messages = [...source.warnings];
    this.#runsOfFile = new Set(
      source.evaluationRuns.flatMap((entry) => ("message" in entry ? entry.message.name : [])),
    );
  }

  async run(signal: AbortSignal) {
    for (const evaluation of (await this.#deps.resources.read(this.#app)).evaluations) this.#remember(evaluation);
    const evaluations = await this.#importEvaluations(signal);
    const results = await this.#each(this.#source.evaluationResults, (entry) => this.#importResult(entry), signal);
    const runs = await this.#each(this.#source.evaluationRuns, (entry) => this.#importRun(entry), signal);
    await this.#listInRuns();
    return {
      evaluations: evaluations.imported,
      evaluationResults: results.imported,
      evaluationRuns: runs.imported,
      errorMessages: reportedMessages(this.#messages),
      importFailureCount: evaluations.failures,
      evaluationResultImportFailureCount: results.failures,
      evaluationRunImportFailureCount: runs.failures,
    };
  }

  /** New ones are made together, as long as that goes: each write takes as long as the app is large. */
  async #importEvaluations(signal: AbortSignal): Promise<Imported<Evaluation>> {
    const all: Imported<Evaluation> = { imported: [], failures: 0 };
    const entries = this.#source.evaluations;
    for (let from = 0; from < entries.length; ) {
      signal.throwIfAborted();
      const fresh = this.#newAmong(entries.slice(from, from + TOGETHER));
      const made = fresh.length > 1 ? await this.#createTogether(fresh) : undefined;
      if (made) all.imported.push(...made);
      else {
        const rest = entries.slice(from, from + Math.max(1, fresh.length));
        const each = await this.#each(rest, (entry) => this.#importEvaluation(entry), signal);
        all.imported.push(...each.imported);
        all.failures += each.failures;
      }
      from += Math.max(1, fresh.length);
    }
    return all;
  }

  /** The first entries that can be read and have no name that anything has, of the app or before them. */
  #newAmong(entries: readonly FileEntry<Evaluation>[]): readonly Evaluation[] {
    const fresh: Evaluation[] = [];
    const [names, displayNames] = [new Set<string>(), new Set<string>()];
    for (const entry of entries) {
      if ("problem" in entry) break;
      const { name, displayName } = entry.message;
      if (this.#taken.has(name) || this.#displayNames.has(displayName)) break;
      if (names.has(name) || displayNames.has(displayName)) break;
      if (name !== "") names.add(name);
      displayNames.add(displayName);
      fresh.push(entry.message);
    }
    return fresh;
  }

  /** Undefined where one of them is refused: then they are made one by one, so that the others are. */
  async #createTogether(evaluations: readonly Evaluation[]): Promise<readonly Evaluation[] | undefined> {
    const { resources, author } = this.#deps;
    const wanted = evaluations.map((evaluation) => ({ evaluation, id: freeIdOf(evaluation) }));
    try {
      const made = await resources.createAll(this.#app, wanted, author);
      for (const [at, written] of made.entries()) {
        const name = evaluations[at]?.name ?? "";
        if (name !== "") this.#renamed.set(name, written.name);
        this.#remember(written);
        this.#written.add(written.name);
      }
      return made;
    } catch (error) {
      if (error instanceof ConnectError) return undefined;
      throw error;
    }
  }

  /** `write` resolves with undefined for what is skipped. */
  async #each<M extends Evaluation | EvaluationResult | EvaluationRun>(
    entries: readonly FileEntry<M>[],
    write: (message: M) => Promise<M | undefined>,
    signal: AbortSignal,
  ): Promise<Imported<M>> {
    const imported: M[] = [];
    let failures = 0;
    const pause = createPauses();
    for (const entry of entries) {
      await pause();
      signal.throwIfAborted();
      try {
        if ("problem" in entry) throw invalidArgument({ field: entry.where, description: entry.problem });
        const written = await write(entry.message);
        if (written) imported.push(written);
      } catch (error) {
        failures += 1;
        logFault(error, this.#deps.logger, "an entry of an import could not be written", { where: entry.where });
        const why = "problem" in entry ? entry.problem : toStatusError(error).rawMessage;
        this.#messages.push(`${entry.where}: ${why}`);
      }
    }
    return { imported, failures };
  }

  async #importEvaluation(evaluation: Evaluation): Promise<Evaluation | undefined> {
    const { resources, author } = this.#deps;
    const existing = this.#taken.has(evaluation.name)
      ? evaluation.name
      : this.#displayNames.get(evaluation.displayName);
    let written: Evaluation;
    if (existing === undefined) {
      written = await resources.create(this.#app, evaluation, author, freeIdOf(evaluation));
    } else if (this.#written.has(existing) && this.#strategy !== Strategy.DUPLICATE) {
      throw invalidArgument({ field: "display_name", description: twice(evaluation) });
    } else if (this.#conflict(existing, evaluation.displayName) === "overwrite") {
      // Whatever has changed since the file was made is what is to be replaced (EVAL-102).
      written = await resources.update({ ...clone(EvaluationSchema, evaluation), name: existing, etag: "" }, author);
    } else if (this.#strategy === Strategy.DUPLICATE) {
      const displayName = this.#freeDisplayName(evaluation.displayName);
      written = await resources.create(this.#app, { ...clone(EvaluationSchema, evaluation), displayName }, author);
    } else {
      if (evaluation.name !== "") this.#renamed.set(evaluation.name, existing);
      return undefined;
    }
    if (evaluation.name !== "") this.#renamed.set(evaluation.name, written.name);
    this.#remember(written);
    this.#written.add(written.name);
    return written;
  }

  async #importResult(result: EvaluationResult): Promise<EvaluationResult | undefined> {
    const { resources, ids } = this.#deps;
    const [, evaluation = "", id = ""] = /^(.*\/evaluations\/[^/]+)\/results\/([^/]+)$/.exec(result.name) ?? [];
    const parent = this.#renamed.get(evaluation) ?? evaluation;
    if (!this.#taken.has(parent)) {
      throw invalidArgument({
        field: "name",
        description: `its evaluation '${parent}' is not in the app; import that too.`,
      });
    }
    const copy = this.#imported({ ...clone(EvaluationResultSchema, result), name: `${parent}/results/${id}` });
    const exists = (await resources.results([copy.name])).length > 0;
    const resolution = exists ? this.#conflict(copy.name) : "overwrite";
    if (resolution === "skip") return undefined;
    await this.#checkRunOf(copy);
    if (resolution === "duplicate") copy.name = `${parent}/results/${ids.uuid()}`;
    this.#renamed.set(result.name, copy.name);
    await resources.put(copy);
    this.#results.set(copy.name, copy);
    const others = this.#resultsOfRun.get(copy.evaluationRun);
    if (others) others.push(copy);
    else this.#resultsOfRun.set(copy.evaluationRun, [copy]);
    return copy;
  }

  /** Who imports answers for it, as for an evaluation that is imported (IAM-29). */
  #imported<M extends EvaluationResult | EvaluationRun>(copy: M): M {
    if (this.#deps.author !== "") copy.initiatedBy = this.#deps.author;
    return copy;
  }

  /** What a run has shown is not added to by who may only create (IAM-29), unless the result goes with a copy of its run. */
  async #checkRunOf({ evaluationRun: run }: EvaluationResult): Promise<void> {
    if (run === "" || this.#strategy === Strategy.OVERWRITE) return;
    const had = this.#hadRun.get(run) ?? (await this.#deps.resources.runs([run])).length > 0;
    this.#hadRun.set(run, had);
    if (!had || (this.#strategy === Strategy.DUPLICATE && this.#runsOfFile.has(run))) return;
    const description = `'${run}' exists. Set conflict_resolution_strategy to OVERWRITE to add results to it.`;
    throw invalidArgument({ field: "evaluation_run", description });
  }

  async #importRun(run: EvaluationRun): Promise<EvaluationRun | undefined> {
    const { resources, ids } = this.#deps;
    const prefix = `${this.#app}/evaluationRuns/`;
    if (!run.name.startsWith(prefix) || run.name.slice(prefix.length).includes("/")) {
      throw invalidArgument({ field: "name", description: `'${run.name}' is not the name of a run of an app.` });
    }
    const copy = this.#imported(clone(EvaluationRunSchema, run));
    const current = (name: string) => this.#renamed.get(name) ?? name;
    copy.evaluations = copy.evaluations.map(current);
    copy.evaluationResults = copy.evaluationResults.map(current);
    copy.continuedRun = current(copy.continuedRun);
    // The operation is one of the server that the run comes from.
    copy.operation = "";
    const exists = (await resources.runs([copy.name])).length > 0;
    const resolution = exists ? this.#conflict(copy.name) : "overwrite";
    if (resolution === "skip") return undefined;
    if (resolution === "duplicate") copy.name = prefix + ids.uuid();
    const listed = copy.evaluationResults.flatMap((name) => this.#results.get(name) ?? []);
    const moved = [...new Set([...listed, ...(this.#resultsOfRun.get(run.name) ?? [])])].filter(
      ({ evaluationRun }) => evaluationRun !== copy.name,
    );
    for (const result of moved) result.evaluationRun = copy.name;
    await resources.put(copy, ...moved);
    return copy;
  }

  /** Runs have the names of their results: those that are in the app get the names of what was imported by itself. */
  async #listInRuns(): Promise<void> {
    const { resources } = this.#deps;
    const byRun = Map.groupBy(this.#results.values(), ({ evaluationRun }) => evaluationRun);
    for (const run of await resources.runs([...byRun.keys()].filter((name) => name !== ""))) {
      const listed = new Set(run.evaluationResults);
      const added = (byRun.get(run.name) ?? []).map(({ name }) => name).filter((name) => !listed.has(name));
      if (added.length === 0) continue;
      const copy = clone(EvaluationRunSchema, run);
      copy.evaluationResults.push(...added);
      await resources.put(copy);
    }
  }

  /** Without a strategy, an existing resource is an error: nobody said which of the two is right. */
  #conflict(name: string, displayName = name): "overwrite" | "skip" | "duplicate" {
    if (this.#strategy === Strategy.OVERWRITE) return "overwrite";
    if (this.#strategy === Strategy.SKIP) return "skip";
    if (this.#strategy === Strategy.DUPLICATE) return "duplicate";
    const which = displayName === name ? `'${name}'` : `'${displayName}' (${name})`;
    const description = `${which} exists. Set conflict_resolution_strategy to OVERWRITE, SKIP or DUPLICATE.`;
    throw invalidArgument({ field: "import_options.conflict_resolution_strategy", description });
  }

  #remember({ name, displayName }: Evaluation): void {
    this.#taken.add(name);
    this.#displayNames.set(displayName, name);
  }

  #freeDisplayName(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#displayNames.has(name); number++) name = `${wanted} (${number})`;
    return name;
  }
}

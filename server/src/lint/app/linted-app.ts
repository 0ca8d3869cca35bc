import type { JsonObject } from "#base";
import type { ParsedPython } from "../python/python-facts.ts";
import type { StructuredDocument } from "./document.ts";
import type { SourceText } from "./source-text.ts";

/** A resource with a manifest. */
export interface LintedResource {
  /** Its folder's name. */
  readonly folder: string;
  readonly document: StructuredDocument;
  /** The manifest's object; empty when it cannot be parsed. Read it with `field`. */
  readonly manifest: JsonObject;
  readonly displayName: string;
}

/** A callback of an agent. */
export interface LintedCallback {
  /** `before_agent_callbacks` and so on. */
  readonly stage: string;
  /** Field of the stage and index, as in the manifest. */
  readonly path: readonly [key: string, index: number];
  /** The code's path as written. */
  readonly codePath: string;
  /** Undefined when there is no such file. */
  readonly code: SourceText | undefined;
}

/** An agent and its files. */
export interface LintedAgent extends LintedResource {
  /** Undefined when there is no file. */
  readonly instruction: SourceText | undefined;
  /** Display names of `tools`. */
  readonly tools: readonly string[];
  /** Names of the toolsets that it uses. */
  readonly toolsets: readonly string[];
  readonly callbacks: readonly LintedCallback[];
}

/** A tool and its Python file, if it has one. */
export interface LintedTool extends LintedResource {
  readonly code: SourceText | undefined;
  /** The entry function's name as the manifest gives it; "" when it does not. */
  readonly entry: string;
}

/** A variable that an app declares. */
export interface DeclaredVariable {
  readonly name: string;
  readonly type: string;
  /** Of an object: its properties by name; empty when any is allowed. */
  readonly properties: ReadonlyMap<string, DeclaredVariable>;
}

/** What import and validation say of the app, each sentence as they write it. */
export interface ImportFindings {
  /** Faults that fail an import, by file or field. */
  readonly violations: readonly { readonly field: string; readonly description: string }[];
  readonly warnings: readonly string[];
  /** `validation_errors` that the app and its agents would have. */
  readonly validationErrors: readonly string[];
}

/** Everything that rules read. */
export interface LintedApp {
  /** The app's manifest; undefined when there is none. */
  readonly app: LintedResource | undefined;
  readonly agents: readonly LintedAgent[];
  readonly tools: readonly LintedTool[];
  readonly toolsets: readonly LintedResource[];
  readonly guardrails: readonly LintedResource[];
  readonly evaluations: readonly LintedResource[];
  readonly expectations: readonly LintedResource[];
  readonly globalInstruction: SourceText | undefined;
  /** Evaluation files of the toolkit, below `evals_dir`. */
  readonly evaluationFiles: readonly StructuredDocument[];
  readonly variables: ReadonlyMap<string, DeclaredVariable>;
  /** All text files of the app by path, relative to the app. */
  readonly files: ReadonlyMap<string, SourceText>;
  /** The path of the app in the linted folder, `""` or `app/`. */
  readonly prefix: string;
  /** Facts of Python files by path, relative to the app. */
  readonly python: ReadonlyMap<string, ParsedPython>;
  readonly imported: ImportFindings;
  readonly personalData: PersonalDataFinder;
}

/** Finds the texts of a value with what seems to be data of a person, and says what that is. */
export type PersonalDataFinder = (
  value: unknown,
) => Iterable<{ readonly path: readonly (string | number)[]; readonly kinds: readonly string[] }>;

/** A position in a Python file, from 1. */
interface PythonPlace {
  readonly line: number;
  readonly column: number;
}

/** A parameter of a function. */
export interface PythonParameter extends PythonPlace {
  readonly name: string;
  readonly kind: "positional" | "keyword-only" | "var-positional" | "var-keyword";
  /** As Python writes it, "" when absent. */
  readonly annotation: string;
  readonly hasDefault: boolean;
  /** Whether the default is `None`. */
  readonly isNone: boolean;
  /** Whether the function compares it with `None`, so that another default would change what the code does. */
  readonly isComparedWithNone: boolean;
  /** Where the default is. */
  readonly default?: PythonPlace;
}

/** A function definition, at any depth. */
export interface PythonFunction extends PythonPlace {
  readonly name: string;
  /** Column of the name. */
  readonly nameColumn: number;
  /** Whether it is defined at the top of the module. */
  readonly isTop: boolean;
  readonly docstring: string;
  /** The return annotation, "" when absent. */
  readonly returns: string;
  readonly parameters: readonly PythonParameter[];
  /** How often the module names it elsewhere. */
  readonly uses: number;
}

/** A read or write of a session variable by a constant key. */
interface StateUse extends PythonPlace {
  /** `name`, or `name.property`. */
  readonly key: string;
  readonly mode: "read" | "write";
  /** Schema type of a literal that is written: `STRING`, `INTEGER`, …; "" when it is not a literal. */
  readonly type: string;
}

/** What the syntax tree of a Python file says; written by `server/guest/frontdesk_lint/python_facts.py`. */
export interface PythonFacts {
  readonly functions: readonly PythonFunction[];
  /** Names of `typing` that are used and not imported. */
  readonly missingTyping: readonly (PythonPlace & { readonly name: string })[];
  readonly bareExcepts: readonly (PythonPlace & { readonly logs: boolean })[];
  /** `tools.NAME` and `async_tools.NAME`, called. */
  readonly toolCalls: readonly (PythonPlace & { readonly name: string })[];
  /** Parts that end the session or transfer to an agent; `agent` is its name, "" when it is computed. */
  readonly actions: readonly (PythonPlace & {
    readonly name: "end_session" | "transfer_to_agent";
    readonly agent: string;
  })[];
  /** Returned values; `size` is the number of constants in the value, `function` the innermost function. */
  readonly returns: readonly (PythonPlace & {
    readonly function: string;
    readonly isDict: boolean;
    readonly keys: readonly string[];
    readonly size: number;
  })[];
  readonly state: readonly StateUse[];
  /** Lists of words that are searched for in a text. */
  readonly phraseLists: readonly (PythonPlace & { readonly count: number })[];
  /** The line before which an import can be added. */
  readonly importLine: number;
}

/** The facts of a file, or its syntax error. */
export type ParsedPython = PythonFacts | { readonly error: PythonPlace & { readonly message: string } };

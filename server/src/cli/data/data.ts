import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { SourceFile } from "#app";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { textFlag } from "../flags/text-flag.ts";
import { OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { say } from "../output/say.ts";
import { printDataTables } from "./data-tables.ts";
import { testDataConnection } from "./data-test.ts";
import { modelFiles } from "./model-files.ts";

/** `frontdesk data import|export`: semantic models of other products in our form, and back, without a server (SEM-7); `data tables` and `data test` ask a server. */
export const dataModel: Command = {
  name: "data",
  operands: "import|export <file|folder>, tables [words], or test <connection>",
  words: ["import", "export", "tables", "test"],
  summary:
    "import a semantic model (OSI, dbt, Snowflake, Cube, LookML) as a model file, or export a model file as OSI; tables: list the tables that questions may name; test: try a connected database",
  flags: [
    {
      name: "file",
      value: "file",
      summary: "file to write (default: <name>.model.yaml, <name>.osi.yaml)",
    },
    { name: "name", value: "name", summary: "name of the model (default: what its files say)" },
    { name: "force", summary: "write over a file that exists" },
    { name: "limit", value: "number", summary: "tables: at most this many (default 100)" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "data tables",
    "data tables orders --limit 20 --json",
    "data test connection_1f0c",
    "data import ./my-dbt-project",
    "data import retail.osi.yaml --file sales.model.yaml",
    "data export sales.model.yaml",
  ],
  run: async (input) => {
    if (input.positionals[0] === "tables") return printDataTables(input);
    if (input.positionals[0] === "test") return testDataConnection(input);
    const { FileFault, ModelFault } = await import("#app");
    try {
      return await run(input);
    } catch (error) {
      if (error instanceof FileFault || error instanceof ModelFault) throw new CommandError(error.message);
      throw error;
    }
  },
};

async function run({ positionals, flags }: CommandInput): Promise<number> {
  const [action, path, ...more] = positionals;
  if ((action !== "import" && action !== "export") || !path || more.length > 0)
    throw new CommandError("say import or export, and one file or folder, or tables, or test.");
  if (!existsSync(path)) throw new CommandError(`${path} does not exist.`);
  const name = typeof flags.name === "string" ? { name: flags.name } : {};
  const written = action === "import" ? await imported(await modelFiles(path), name) : await exported(path);
  const output = textFlag(flags.file) ?? written.file;
  if (existsSync(output) && !flags.force) throw new CommandError(`${output} exists; --force writes over it.`);
  await writeFile(output, written.text);
  const { notes, summary } = written;
  const value = { file: output, notes: notes.map((note) => ({ ...note })) };
  printResult(flags, { value, text: `${summary}\nWritten to ${output}.` });
  return 0;
}

interface Written {
  readonly text: string;
  /** Where it is written by default. */
  readonly file: string;
  readonly summary: string;
  /** What was not carried. */
  readonly notes: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

async function imported(files: readonly SourceFile[], options: { readonly name?: string }): Promise<Written> {
  const { importModel, writeModelFile } = await import("#app");
  const { model, notes, format } = importModel(files, options);
  for (const { file, line, message } of notes) say(`${file}:${line}: ${message}\n`, process.stderr);
  const { datasets, relationships, metrics } = model;
  const asked = metrics.filter(({ hidden }) => !hidden).length;
  const counts = `${datasets.length} datasets, ${relationships.length} relationships, ${asked} metrics`;
  const omitted = notes.length > 0 ? `; ${notes.length} things were not carried` : "";
  return {
    text: writeModelFile(model),
    file: `${model.name}.model.yaml`,
    notes,
    summary: `Imported ${model.name} from ${format}: ${counts}${omitted}.`,
  };
}

async function exported(path: string): Promise<Written> {
  const { readModelFile, writeOsi } = await import("#app");
  const model = readModelFile({ path, text: await readFile(path, "utf8") });
  const { text, unstated } = writeOsi(model);
  for (const name of unstated)
    say(`${path}: OSI has no words for metric ${name}; only an import by frontdesk finds it again\n`, process.stderr);
  const summary = `Exported ${model.name} as Open Semantic Interchange.`;
  return { text, file: `${model.name}.osi.yaml`, summary, notes: [] };
}

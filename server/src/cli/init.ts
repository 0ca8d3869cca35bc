import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { PackageGeneration } from "#app";
import { type Command, CommandError, type CommandInput } from "./command.ts";
import { configOf } from "./flags/config-flag.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { commandErrorOf } from "./server/refusal-text.ts";
import { shellWord } from "./shell-word.ts";

/** The apps to start from, which are folders of `examples/templates`. */
export const TEMPLATES = ["booking", "faq", "returns"];

/** `frontdesk init`: a folder with a new app, from a template or from a description. */
export const init: Command = {
  name: "init",
  operands: "[folder]",
  summary: "start a new app in a folder: from a template, or from a description by a language model",
  flags: [
    { name: "template", value: "name", values: TEMPLATES, summary: "faq, booking or returns (default: faq)" },
    { name: "describe", value: "text|file", summary: "what the app is for; a language model writes it, with goldens" },
    { name: "files", value: "a.pdf,b.md", summary: "documents that the app is written from, with --describe" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...UNNAMED_OUTPUT_FLAGS,
  ],
  examples: [
    "init my-app",
    "init my-app --template returns",
    'init my-app --describe "Answers questions about opening hours"',
  ],
  run: async (input) => {
    const { positionals, flags } = input;
    if (positionals.length > 1) throw new CommandError("name one folder.");
    if (flags.describe && flags.template) throw new CommandError("--template and --describe exclude each other.");
    if (flags.files && !flags.describe) throw new CommandError("--files needs --describe.");
    try {
      return flags.describe ? await fromDescription(input) : await fromTemplate(input);
    } catch (error) {
      throw commandErrorOf(error);
    }
  },
};

async function fromTemplate({ positionals, flags }: CommandInput): Promise<number> {
  const { copyTemplate } = await import("#app");
  const template = String(flags.template ?? "faq");
  const [folder = template] = positionals;
  await copyTemplate(template, folder);
  return report(folder, "", flags);
}

async function fromDescription({ positionals, flags }: CommandInput): Promise<number> {
  const { generatePackage } = await import("#app");
  const [folder = "my-app"] = positionals;
  const paths = typeof flags.files === "string" ? flags.files.split(",").map((path) => path.trim()) : [];
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const explanation = await generatePackage(
    {
      folder,
      description: await textOrFile(String(flags.describe)),
      files: await Promise.all(paths.map(document)),
      onProgress: (message) => void process.stderr.write(`${message}\n`),
      signal: stop.signal,
    },
    await configOf(flags),
  );
  return report(folder, explanation, flags);
}

function report(folder: string, explanation: string, flags: CommandInput["flags"]): number {
  const next = ["dev", "lint", "eval"].map((command) => `  frontdesk ${command} ${shellWord(folder)}`);
  const text = [...(explanation ? [explanation, ""] : []), `A new app is in ${folder}. Try it:`, "", ...next];
  printResult(flags, { value: { folder, explanation }, text: text.join("\n") });
  return 0;
}

/** The text of a file where there is one of this name, else the text itself. */
async function textOrFile(value: string): Promise<string> {
  return readFile(value, "utf8").catch(() => value);
}

/** Media types by ending; any other file is told apart by its name. */
const TYPES: Readonly<Record<string, string>> = {
  ".pdf": "application/pdf",
  ".html": "text/html",
  ".md": "text/markdown",
  ".txt": "text/plain",
};

async function document(path: string): Promise<PackageGeneration["files"][number]> {
  const data = await readFile(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  const mimeType = TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
  return { fileName: basename(path), mimeType, data };
}

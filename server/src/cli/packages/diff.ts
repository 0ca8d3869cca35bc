import { basename, resolve } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { asCommandError } from "../app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { formatOf, OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { say, warn } from "../output/say.ts";
import { styled } from "../output/style.ts";
import { changesBetween, changesValue, type FileChange } from "./file-changes.ts";
import { type LabelledPackage, previewOf } from "./preview.ts";
import { type PackageSource, packageSource } from "./source.ts";

/** `frontdesk diff`: what differs between folders, drafts, versions and servers; exit code 1 when something does. */
export const diff: Command = {
  name: "diff",
  operands: "<one> [other]",
  summary: "compare apps: folders, zips, drafts (app), versions (app@version), other servers (context:app)",
  flags: [...OUTPUT_FLAGS, ...SERVER_FLAGS],
  examples: [
    "diff order-desk",
    "diff order-desk ./my-desk",
    "diff order-desk@v1 order-desk",
    "diff office:order-desk hosted:order-desk --output name",
  ],
  exitCodes: { 1: "the two differ", 2: "they could not be compared" },
  failureExitCode: 2,
  run: async (input) => {
    const [one, other, ...more] = input.positionals;
    if (!one || more.length > 0) throw new CommandError("name one or two apps to compare.");
    return asCommandError(() => compare(one, other ?? basename(resolve(one)), input));
  },
};

async function compare(one: string, other: string, input: CommandInput): Promise<number> {
  const [from, to] = [await packageSource(one, input), await onServerIfSame(one, other, input)];
  const isWithoutEvaluations = from.isVersion !== to.isVersion;
  const changes = (await differences(from, to)).filter(
    ({ path }) => !isWithoutEvaluations || !/^evaluation\w*\//.test(path),
  );
  if (formatOf(input.flags) === "table") {
    const patches = changes.map((change) => coloured(patchOf(change, from.label, to.label))).join("");
    // Programs that apply it want it as it is.
    if (process.stdout.isTTY) say(patches);
    else process.stdout.write(patches);
  } else {
    const value = changesValue(changes).map((entry, at) => {
      const change = changes[at];
      return { ...entry, ...(change && { patch: patchOf(change, from.label, to.label) }) };
    });
    printResult(input.flags, { value, text: "" });
  }
  return changes.length === 0 ? 0 : 1;
}

/** A folder alone is compared with the app of its name, not with itself. */
async function onServerIfSame(one: string, other: string, input: CommandInput): Promise<PackageSource> {
  if (input.positionals.length > 1) return packageSource(other, input);
  const { packageOnServer } = await import("../app-package.ts");
  const { zip } = await packageOnServer(other, undefined, input);
  const place = `${other} (server)`;
  return { label: one === other ? place : other, place, zip, isExport: true, isVersion: false };
}

/** Two exports are compared as they are; a folder as the export that its import would have. */
async function differences(from: PackageSource, to: PackageSource): Promise<readonly FileChange[]> {
  if (from.isExport && to.isExport) {
    const { packageFiles } = await import("#app");
    return changesBetween(await packageFiles(from.zip), await packageFiles(to.zip));
  }
  const [one, other] = [from, to].map(({ place, zip }) => ({ label: place, zip })) as [
    LabelledPackage,
    LabelledPackage,
  ];
  const isForward = from.isExport || !to.isExport;
  const [present, next] = isForward ? [one, other] : [other, one];
  const { before, after, omitted } = await previewOf(present, next);
  for (const warning of omitted) warn(`${next.label}: ${warning}`);
  return isForward ? changesBetween(before, after) : changesBetween(after, before);
}

function patchOf({ path, before, after }: FileChange, from: string, to: string): string {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === undefined || now === undefined) return `--- ${from}/${path}\n+++ ${to}/${path}\nBinary files differ\n`;
  const [one, other] = [before ? `${from}/${path}` : "/dev/null", after ? `${to}/${path}` : "/dev/null"];
  return createTwoFilesPatch(one, other, old, now, undefined, undefined, { headerOptions: FILE_HEADERS_ONLY });
}

/** Undefined: no text. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  const buffer = Buffer.from(bytes ?? []);
  return buffer.includes(0) ? undefined : buffer.toString("utf8");
}

function coloured(patch: string): string {
  return patch.replaceAll(/^([-+@]).*$/gm, (line, sign: string) =>
    styled(sign === "@" ? "cyan" : sign === "+" ? "green" : "red", line),
  );
}

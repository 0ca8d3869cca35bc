import { collectionOf, isSingleton, type NamePattern, parentPattern, WILDCARD } from "#aip";
import { appName } from "../app-name.ts";
import { CommandError, type CommandInput } from "../command.ts";
import { textFlag } from "../flags/text-flag.ts";
import { connectionOf } from "../server/connection.ts";

type Flags = CommandInput["flags"];

/** The parent of a collection from `--parent`, `--app`, `--project` and `--location`. In a list, `-` stands for all of what is not named. */
export function parentName(pattern: NamePattern, flags: Flags, allowsAll: boolean): string {
  if (typeof flags.parent === "string") return flags.parent;
  const { text, segments } = parentPattern(pattern);
  const values = valuesOf(flags, text.split("/").includes("apps"));
  return segments
    .map((segment) => {
      if ("literal" in segment) return segment.literal;
      const value = values.get(segment.variable) ?? (allowsAll ? WILDCARD : undefined);
      if (value === undefined) throw new CommandError(`Give the whole name, or --parent: ${text}.`);
      return value;
    })
    .join("/");
}

/** The name of a resource from its id or whole name; a singleton needs neither. */
export function resourceName(pattern: NamePattern, operand: string | undefined, flags: Flags): string {
  if (operand?.includes("/")) return operand;
  if (!operand && !isSingleton(pattern)) throw new CommandError(`the name is missing: an id, or ${pattern.text}.`);
  const collection = `${parentName(pattern, flags, false)}/${collectionOf(pattern)}`;
  return isSingleton(pattern) ? collection : `${collection}/${operand}`;
}

function valuesOf(flags: Flags, isBelowApps: boolean): ReadonlyMap<string, string> {
  const { app } = flags;
  if (!isBelowApps) {
    const { project, location } = connectionOf({ flags });
    return new Map([
      ["project", project],
      ["location", location],
    ]);
  }
  const name = appName(textFlag(app), { flags });
  const [, inProject = "", , inLocation = "", , inApp = ""] = name.split("/");
  return new Map([
    ["project", inProject],
    ["location", inLocation],
    ["app", inApp],
  ]);
}

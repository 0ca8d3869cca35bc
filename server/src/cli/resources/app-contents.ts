import type { CommandInput } from "../command.ts";
import { type Collection, collections } from "./collections.ts";
import { listResources } from "./list-resources.ts";

/** More of a kind are not counted. */
const MOST_COUNTED = 1_000;
/** Records of what was done to the app, which each app has. */
const RECORDS = new Set(["changelogs"]);

/** What is deleted with an app, e.g. `3 agents` and `1 version`. */
export async function appContents(parent: string, input: CommandInput): Promise<readonly string[]> {
  const counts = await Promise.all(
    partsOfApps().map(async ([word, { methods }]) => {
      const found = methods.list ? await listResources(methods.list, { parent, limit: MOST_COUNTED }, input) : [];
      return found.length === 0 ? [] : [counted(found.length, word.replaceAll("-", " "))];
    }),
  );
  return counts.flat();
}

/** The collections right below an app. */
function partsOfApps(): readonly (readonly [string, Collection])[] {
  const all = collections();
  const app = all.get("apps")?.pattern.text ?? "";
  return [...all].filter(
    ([
      word,
      {
        pattern: { text },
      },
    ]) => {
      return text.startsWith(`${app}/`) && text.slice(app.length).split("/").length === 3 && !RECORDS.has(word);
    },
  );
}

function counted(count: number, plural: string): string {
  if (count === MOST_COUNTED) return `${MOST_COUNTED} ${plural} or more`;
  return count === 1 ? `1 ${plural.replace(/s$/, "")}` : `${count} ${plural}`;
}

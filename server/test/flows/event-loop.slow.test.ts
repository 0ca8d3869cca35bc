import { hostileApps } from "./hostile-apps.ts";
import { hostileEvaluations } from "./hostile-evaluations.ts";
import { createHostileInstructions, hostileInstructions } from "./hostile-instructions.ts";
import { hostileLists } from "./hostile-lists.ts";
import { hostileModels } from "./hostile-models.ts";
import { hostilePackages } from "./hostile-packages.ts";
import { hostileRequests } from "./hostile-requests.ts";
import { loadEventLoop } from "./load-event-loop.ts";

/** Characters of each text, of a package's files, and resources of an app: without limits, each of these blocks the loop for some hundred milliseconds. */
const LENGTH = 200_000;
const PACKAGE_LENGTH = 100_000;
const APP_SIZE = 60;

/** What is hard for one reader or another; `npm run event-loop` presses all others, and longer ones. */
const KINDS =
  /^(digits|accents|a question|a phrase|nested all|.*(inputs|values|lists|name|mask|conditions))|instruction: (references|open conditions|spaces in tags|parentheses)|evaluations: (JSON of many|YAML of many|a table of many rows)|a (model of many|question to a model|small model)|import: (a manifest of many|YAML|an OpenAPI document|many (agents|broken)|65,000|a patch that compares)/;

/** Values of a list: an update of as many blocked the loop for two hundred milliseconds before it was made in steps. */
const VALUES = 40_000;

/** Lists of a resource that much is done with. */
const LISTS =
  /^(UpdateApp: app\.(variable_declarations\.schema\.properties|evaluation_personas)|UpdateAgent: agent\.tools)(, emptied)?$/;

loadEventLoop({
  length: LENGTH,
  prepare: (address) => createHostileInstructions(address, LENGTH),
  warmUp: [...hostileRequests(1_000).filter(isOfKinds), ...hostileModels(1_000), ...hostileApps(10, 1_000)],
  requests: [
    ...[
      ...hostileRequests(LENGTH),
      ...hostileInstructions(),
      ...hostilePackages(PACKAGE_LENGTH),
      ...hostileEvaluations(LENGTH),
      ...hostileModels(LENGTH / 2),
    ].filter(isOfKinds),
    ...hostileLists(VALUES).filter(({ name }) => LISTS.test(name)),
    ...hostileApps(APP_SIZE, PACKAGE_LENGTH),
  ],
});

function isOfKinds({ name }: { readonly name: string }): boolean {
  return KINDS.test(name);
}

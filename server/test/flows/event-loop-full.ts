// `npm run event-loop`: every text by every reader, at the lengths that requests may have. It takes minutes; `npm test` presses one of each kind.
import { hostileApps } from "./hostile-apps.ts";
import { hostileEvaluations } from "./hostile-evaluations.ts";
import { createHostileInstructions, hostileInstructions } from "./hostile-instructions.ts";
import { hostileLists } from "./hostile-lists.ts";
import { hostileModels } from "./hostile-models.ts";
import { hostilePackages } from "./hostile-packages.ts";
import { hostileRequests } from "./hostile-requests.ts";
import { loadEventLoop } from "./load-event-loop.ts";

/** Characters of each text: each of these requests blocked the loop for seconds before its work was limited. */
const LENGTH = 1_000_000;
/** The same of a package's files: above the limit of YAML manifests, and below it. Each import takes seconds of other processes' work. */
const PACKAGE_LENGTHS = [300_000, 150_000];
/** Values of a list: nearly as many as a message may have. */
const VALUES = 49_000;
/** Agents, tools and the like of an app. */
const APP_SIZE = 300;

loadEventLoop({
  length: LENGTH,
  prepare: (address) => createHostileInstructions(address, LENGTH),
  warmUp: [
    ...hostileRequests(1_000),
    ...hostilePackages(1_000),
    ...hostileEvaluations(1_000),
    ...hostileModels(1_000),
    ...hostileApps(10, 1_000),
  ],
  requests: [
    ...hostileRequests(LENGTH),
    ...hostileInstructions(),
    ...hostileLists(VALUES),
    ...PACKAGE_LENGTHS.flatMap(hostilePackages),
    ...hostileEvaluations(LENGTH),
    ...hostileModels(LENGTH / 2),
    ...hostileApps(APP_SIZE, 300_000),
  ],
});

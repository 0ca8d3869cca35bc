import { benchDataStores } from "./data-stores.ts";
import { benchOpenApiLoad } from "./open-api-load.ts";

/** What tools cost by themselves: a line for each thing that is promised of them. `folder` holds what is made on the way. */
export async function benchTools(folder: string): Promise<void> {
  await benchOpenApiLoad();
  await benchDataStores(folder);
}

import { benchDataStores } from "./data-stores.ts";
import { benchOpenApiLoad } from "./open-api-load.ts";

/** The cost of tools without a model: OpenAPI documents and data stores. `folder` is for temporary files. */
export async function benchTools(folder: string): Promise<void> {
  await benchOpenApiLoad();
  await benchDataStores(folder);
}

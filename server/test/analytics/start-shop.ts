import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromJson } from "@bufbuild/protobuf";
import type { Context } from "@frontdesk/protos/gda/context";
import { DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { parse } from "yaml";
import { createWarehouse, type Warehouse, writeSample } from "#warehouse";

/** The day after the last order of the sample. */
export const SHOP_NOW = new Date("2026-07-01T09:00:00Z");

const AGENT = join(import.meta.dirname, "../../../examples/shop/agent.yaml");

/** The sample shop behind the real engine, with the context of the agent that is shipped. */
export interface Shop {
  readonly warehouse: Warehouse;
  readonly context: Context;
  close(): Promise<void>;
}

export async function startShop(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "shop-"));
  const file = join(folder, "shop.duckdb");
  await writeSample(file, new Date("2026-06-30T00:00:00Z"));
  const sources = [{ name: ["local", "shop"] as const, path: file, schema: "main" }];
  const warehouse = createWarehouse({ sources, memory: "512MB", spillDir: join(folder, "spill") });
  const { type } = fromJson(DataAgentSchema, parse(readFileSync(AGENT, "utf8")));
  assert.ok(type.case === "dataAnalyticsAgent" && type.value.publishedContext);
  return {
    warehouse,
    context: type.value.publishedContext,
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true });
    },
  };
}

import { type OrderKey, parseOrderBy } from "#aip";
import type { ListOrder, ResourceDefinition } from "../define-resource.ts";

/** Lists of the agent service order by these two and nothing else (their order_by comments). */
const DEFAULT_ORDER: ListOrder = { fields: ["name", "create_time"], descendingByDefault: [], fallback: "name" };

/** The order of a list: the first key decides, names break ties. */
export function listOrder({ rules }: ResourceDefinition, orderBy: string): OrderKey {
  const { fields, descendingByDefault, fallback } = rules.order ?? DEFAULT_ORDER;
  const [requested] = parseOrderBy(orderBy, fields, descendingByDefault);
  const [standard] = parseOrderBy(fallback, fields, descendingByDefault);
  return requested ?? standard ?? { path: "name", descending: false };
}

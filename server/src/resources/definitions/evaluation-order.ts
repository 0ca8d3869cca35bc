import type { ListOrder } from "../define-resource.ts";

/** The order of evaluation lists: newest change first, times backwards unless `asc` is written (ListEvaluationsRequest.order_by). */
export const EVALUATION_ORDER: ListOrder = {
  fields: ["name", "create_time", "update_time"],
  descendingByDefault: ["create_time", "update_time"],
  fallback: "update_time",
};

import { type Grouping, type ModelQuery, modelQuery } from "#semantics";
import { pick, type Random } from "./shop-rows.ts";

const ANY_FACT = [
  "revenue",
  "orders",
  "buyers",
  "largest_order",
  "first_order",
  "typical_order",
  "paid_revenue",
  "vip_revenue",
  "refunds",
  "refunded",
  "refund_rate",
  "kept",
  "orders_per_buyer",
];

const OVER_TIME = [
  "revenue_so_far",
  "buyers_in_60_days",
  "revenue_this_year",
  "revenue_growth",
  "orders_since_quarter_began",
];

export function randomQuery(random: Random): ModelQuery {
  const overTime = random() < 0.4;
  const time = pick(random, ["metric_time", "orders.placed_at"]);
  const groupBy: readonly Grouping[] = [
    ...(overTime || random() < 0.4
      ? [
          {
            dimension: overTime ? time : "metric_time",
            grain: overTime ? ("month" as const) : pick(random, ["day", "week", "month", "quarter", "year"] as const),
          } as const,
        ]
      : []),
    ...(random() < 0.5 ? [{ dimension: pick(random, ["customers.region", "customers.vip", "orders.status"]) }] : []),
  ];
  const finer = !overTime && random() < 0.2;
  const metrics = finer
    ? ["units"]
    : overTime
      ? [
          pick(random, OVER_TIME),
          pick(random, time === "metric_time" ? [...ANY_FACT, ...OVER_TIME] : ["orders", "revenue"]),
        ]
      : [pick(random, ANY_FACT), pick(random, ANY_FACT)];
  return modelQuery({
    metrics: [...new Set(metrics)],
    groupBy: finer ? [...groupBy, { dimension: "items.product" }] : groupBy,
    where: [
      ...(random() < 0.3
        ? [{ dimension: "customers.region", operator: pick(random, ["=", "!="] as const), values: ["North"] }]
        : []),
      ...(random() < 0.3
        ? [{ dimension: "orders.status", operator: pick(random, ["in", "not in"] as const), values: ["paid", "open"] }]
        : []),
      ...(random() < 0.2
        ? [{ dimension: "orders.status", operator: pick(random, ["is null", "is not null"] as const), values: [] }]
        : []),
      ...(random() < 0.4
        ? [
            {
              dimension: overTime ? time : "metric_time",
              operator: ">=" as const,
              values: [pick(random, ["2025-11-01", "2025-12-01"])],
            },
            { dimension: overTime ? time : "metric_time", operator: "<" as const, values: ["2026-02-01"] },
          ]
        : []),
    ],
    filters: random() < 0.3 ? [{ name: "cancelled", negated: random() < 0.7 }] : [],
    having: metrics[0] === "orders" && random() < 0.5 ? [{ metric: "orders", operator: ">", value: 2 }] : [],
  });
}

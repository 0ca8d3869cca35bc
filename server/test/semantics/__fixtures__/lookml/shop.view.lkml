# Orders of the shop.
view: orders {
  sql_table_name: sales.fct_orders ;;
  dimension: order_id { primary_key: yes type: number sql: ${TABLE}.order_id ;; }
  dimension: customer_id { hidden: yes type: number }
  dimension: is_food { type: yesno sql: ${TABLE}.has_food ;; }
  dimension_group: ordered { type: time timeframes: [raw, date, month] datatype: date sql: ${TABLE}.ordered_at ;; }
  dimension: bucket { type: tier tiers: [10, 20] sql: ${TABLE}.order_total ;; }
  measure: count { type: count }
  measure: revenue { type: sum sql: ${TABLE}.order_total ;; label: "Revenue" }
  measure: food_revenue { type: sum sql: ${TABLE}.order_total ;; filters: [is_food: "yes"] }
  measure: recent { type: sum sql: ${TABLE}.order_total ;; filters: [ordered_date: "7 days"] }
  measure: food_share { type: number sql: ${food_revenue} / NULLIF(${revenue}, 0) ;; value_format_name: percent_1 }
  parameter: currency { type: string }
}

view: customers {
  sql_table_name: sales.dim_customers ;;
  dimension: id { primary_key: yes type: number sql: ${TABLE}.customer_id ;; }
  measure: count { type: count }
}

view: +customers {
  dimension: kind { type: string sql: ${TABLE}.customer_type ;; }
  measure: new_customers { type: count filters: [kind: "new"] }
}

view: salaries {
  sql_table_name: hr.salaries ;;
  measure: paid { type: sum sql: ${TABLE}.amount ;; }
}

connection: "warehouse"
include: "*.view.lkml"

explore: orders {
  join: customers {
    type: left_outer
    relationship: many_to_one
    sql_on: ${orders.customer_id} = ${customers.id} ;;
  }
}

explore: salaries {
  access_filter: { field: salaries.team user_attribute: team }
}

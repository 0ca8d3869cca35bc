/** Tables of one business area: `name(column, …)`; `x_id` refers to the table `xs` of the same area. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  sales: [
    "customers(name TEXT, segment TEXT, city TEXT, signed_up_on DATE, credit_limit NUM)",
    "orders(customer_id REF, ordered_on DATE, status TEXT, channel TEXT, net_amount NUM, discount NUM)",
    "order_lines(order_id REF, product_code TEXT, quantity INT, unit_price NUM)",
    "quotations(customer_id REF, valid_until DATE, probability NUM, quoted_value NUM)",
    "territories(name TEXT, manager TEXT, quota NUM)",
  ],
  purchasing: [
    "vendors(name TEXT, country TEXT, rating INT, payment_terms TEXT)",
    "purchase_orders(vendor_id REF, placed_on DATE, expected_on DATE, value NUM)",
    "goods_receipts(purchase_order_id REF, received_on DATE, accepted INT, rejected INT)",
    "contracts(vendor_id REF, starts_on DATE, ends_on DATE, ceiling NUM)",
    "requisitions(requested_by TEXT, department TEXT, urgency TEXT, estimate NUM)",
  ],
  people: [
    "employees(full_name TEXT, hired_on DATE, job_title TEXT, salary NUM, office TEXT)",
    "absences(employee_id REF, begins_on DATE, days INT, reason TEXT)",
    "trainings(title TEXT, held_on DATE, trainer TEXT, seats INT)",
    "applications(vacancy TEXT, applicant TEXT, applied_on DATE, stage TEXT)",
    "appraisals(employee_id REF, reviewed_on DATE, score INT, reviewer TEXT)",
  ],
  finance: [
    "invoices(debtor TEXT, issued_on DATE, due_on DATE, total NUM, vat NUM)",
    "payments(invoice_id REF, paid_on DATE, amount NUM, method TEXT)",
    "ledger_entries(account TEXT, posted_on DATE, debit NUM, credit NUM)",
    "cost_centres(name TEXT, owner TEXT, yearly_allowance NUM)",
    "exchange_rates(currency TEXT, quoted_on DATE, rate NUM)",
  ],
  logistics: [
    "carriers(name TEXT, mode TEXT, reliability NUM)",
    "shipments(carrier_id REF, dispatched_on DATE, arrived_on DATE, weight NUM, destination TEXT)",
    "warehouses(name TEXT, region TEXT, pallets INT)",
    "stock_levels(warehouse_id REF, article TEXT, on_hand INT, reserved INT)",
    "customs_declarations(shipment_id REF, tariff TEXT, duty NUM, cleared_on DATE)",
  ],
  manufacturing: [
    "machines(model TEXT, installed_on DATE, plant TEXT, capacity INT)",
    "production_runs(machine_id REF, began_at DATE, pieces INT, scrap INT)",
    "downtimes(machine_id REF, minutes INT, cause TEXT, occurred_on DATE)",
    "bills_of_material(assembly TEXT, component TEXT, per_unit NUM)",
    "inspections(production_run_id REF, defects INT, inspector TEXT)",
  ],
  support: [
    "tickets(opened_on DATE, closed_on DATE, priority TEXT, topic TEXT, agent TEXT)",
    "ticket_comments(ticket_id REF, author TEXT, written_on DATE)",
    "satisfaction_surveys(ticket_id REF, stars INT, remark TEXT)",
    "escalations(ticket_id REF, level INT, escalated_on DATE)",
    "knowledge_articles(headline TEXT, views INT, helpful_votes INT)",
  ],
  marketing: [
    "campaigns(name TEXT, medium TEXT, launched_on DATE, spend NUM)",
    "leads(campaign_id REF, captured_on DATE, source TEXT, grade TEXT)",
    "newsletters(subject TEXT, sent_on DATE, recipients INT, opened INT)",
    "web_visits(landing_page TEXT, visited_on DATE, seconds INT, browser TEXT)",
    "coupons(code TEXT, expires_on DATE, redeemed INT, worth NUM)",
  ],
  clinic: [
    "patients(born_on DATE, sex TEXT, blood_group TEXT, insurer TEXT)",
    "admissions(patient_id REF, admitted_on DATE, discharged_on DATE, ward TEXT)",
    "diagnoses(admission_id REF, icd TEXT, severity TEXT)",
    "prescriptions(patient_id REF, drug TEXT, dose NUM, prescribed_on DATE)",
    "laboratory_results(patient_id REF, analyte TEXT, reading NUM, sampled_on DATE)",
  ],
  campus: [
    "students(full_name TEXT, enrolled_on DATE, programme TEXT, semester INT)",
    "lectures(title TEXT, lecturer TEXT, credits INT, term TEXT)",
    "enrolments(student_id REF, lecture_id REF, mark NUM)",
    "examinations(lecture_id REF, sat_on DATE, pass_rate NUM)",
    "scholarships(student_id REF, sponsor TEXT, monthly NUM)",
  ],
};

/** Copies of tables as warehouses gather them; none is meant where a question does not say so. */
const COPIES = [
  ...["history", "archive", "staging", "snapshot", "audit", "backup", "deleted", "import_errors", "2019", "2020"],
  ...[
    "2021",
    "2022",
    "test",
    "daily_export",
    "quarantine",
    "dedup",
    "masked",
    "sandbox",
    "tmp_fix",
    "migrated",
    "legacy",
  ],
  ...[
    "eu_region",
    "us_region",
    "apac_region",
    "raw",
    "landing",
    "curated",
    "feature_store",
    "reconciliation",
    "replica",
  ],
  ...[
    "preview",
    "corrections",
    "manual_upload",
    "deltas",
    "tombstones",
    "hashes",
    "partitions",
    "watermarks",
    "lineage",
  ],
];
/** Columns that every table has beside its own. */
const TECHNICAL = [
  ...["created_at", "updated_at", "created_by", "updated_by", "source_system", "batch_id", "row_hash", "is_current"],
  ...["valid_from", "valid_to", "tenant_id", "etl_run_id", "checksum", "load_status", "record_version", "region_code"],
  ...["retention_class", "legal_hold", "sync_token", "trace_id", "shard_no", "locale"],
];
const TYPES: Readonly<Record<string, string>> = {
  TEXT: "VARCHAR",
  NUM: "DECIMAL(12, 2)",
  INT: "INTEGER",
  DATE: "DATE",
  REF: "INTEGER",
};

/** CREATE statements of 2,000 tables with some 50,000 columns: fifty tables, each with 39 copies, keys declared. */
export function largeCatalog(): readonly string[] {
  return Object.entries(AREAS).flatMap(([area, tables]) => [
    `CREATE SCHEMA ${area}`,
    ...tables.flatMap((table) => [
      createTable(area, table, ""),
      ...COPIES.map((copy) => createTable(area, table, copy)),
    ]),
  ]);
}

/** The names of all tables, as dataset and table. */
export function largeCatalogTables(): readonly (readonly [dataset: string, table: string])[] {
  return Object.entries(AREAS).flatMap(([area, tables]) =>
    tables.flatMap((table) => ["", ...COPIES].map((copy) => [area, nameOf(table, copy)] as const)),
  );
}

function nameOf(table: string, copy: string): string {
  const [name = ""] = table.split("(");
  return copy === "" ? name : `${name}_${copy}`;
}

function createTable(area: string, table: string, copy: string): string {
  const columns = (/\((.*)\)$/.exec(table)?.[1] ?? "").split(", ").map((column) => {
    const [name = "", type = ""] = column.split(" ");
    const owner = `${name.replace(/_id$/, "")}s`;
    return `${name} ${TYPES[type]}${type === "REF" && copy === "" ? ` REFERENCES ${area}.${owner}(id)` : ""}`;
  });
  const key = copy === "" ? "id INTEGER PRIMARY KEY" : "id INTEGER";
  const technical = TECHNICAL.slice(0, 25 - columns.length).map((name) => `${name} VARCHAR`);
  return `CREATE TABLE ${area}.${nameOf(table, copy)} (${[key, ...columns, ...technical].join(", ")})`;
}

/** Rows for what questions name: a customer whose name is one of many. */
export const LARGE_CATALOG_ROWS = [
  "INSERT INTO sales.customers (id, name, segment, city, signed_up_on) SELECT i, 'Customer ' || i, 'Trade', 'Leeds', DATE '2024-01-01' + i::INTEGER FROM range(1, 3000) t(i)",
  "UPDATE sales.customers SET name = 'Brackenridge & Sons' WHERE id = 2718",
  "INSERT INTO logistics.carriers (id, name, mode) SELECT i, 'Carrier ' || i, 'road' FROM range(1, 500) t(i)",
  "UPDATE logistics.carriers SET name = 'Northwind Haulage' WHERE id = 77",
  "INSERT INTO purchasing.vendors (id, name, country) SELECT i, 'Vendor ' || i, 'France' FROM range(1, 500) t(i)",
  "UPDATE purchasing.vendors SET name = 'Oakley Timber' WHERE id = 42",
];

/** Questions, and the tables of the statement that answers each. */
export const LARGE_CATALOG_QUESTIONS: readonly (readonly [question: string, tables: string])[] = [
  ["What was the net amount of orders by customer segment last year?", "sales.orders sales.customers"],
  ["How many orders did Brackenridge & Sons place?", "sales.orders sales.customers"],
  ["Which products sold the highest quantity?", "sales.order_lines"],
  ["average discount per channel", "sales.orders"],
  ["Which city do most of our customers live in?", "sales.customers"],
  ["total quoted value by customer", "sales.quotations sales.customers"],
  ["quota per territory manager", "sales.territories"],
  ["average quantity per order line in Leeds", "sales.order_lines sales.orders sales.customers"],
  ["How much did we order from Oakley Timber?", "purchasing.purchase_orders purchasing.vendors"],
  ["number of purchase orders per vendor country", "purchasing.purchase_orders purchasing.vendors"],
  [
    "How many goods were rejected at receipt, by vendor?",
    "purchasing.goods_receipts purchasing.purchase_orders purchasing.vendors",
  ],
  ["Which contracts end this year and what is their ceiling?", "purchasing.contracts"],
  ["estimates of requisitions by department and urgency", "purchasing.requisitions"],
  ["average salary by job title", "people.employees"],
  ["days of absence per office", "people.absences people.employees"],
  ["best appraisal scores by reviewer", "people.appraisals"],
  ["Who was hired in 2024?", "people.employees"],
  ["applicants by stage for each vacancy", "people.applications"],
  ["seats in trainings per trainer", "people.trainings"],
  ["How much of the invoices of March was paid?", "finance.invoices finance.payments"],
  ["VAT on invoices by month", "finance.invoices"],
  ["debit and credit per account of the ledger", "finance.ledger_entries"],
  ["payments by method", "finance.payments"],
  ["exchange rate of the currency USD over time", "finance.exchange_rates"],
  ["yearly allowance of cost centres by owner", "finance.cost_centres"],
  ["weight shipped by Northwind Haulage", "logistics.shipments logistics.carriers"],
  ["customs duty per destination", "logistics.customs_declarations logistics.shipments"],
  ["articles on hand by warehouse region", "logistics.stock_levels logistics.warehouses"],
  ["reliability of carriers by mode", "logistics.carriers"],
  ["scrap rate of production runs per machine model", "manufacturing.production_runs manufacturing.machines"],
  ["minutes of downtime by cause", "manufacturing.downtimes"],
  [
    "defects found by each inspector per plant",
    "manufacturing.inspections manufacturing.production_runs manufacturing.machines",
  ],
  ["components of each assembly", "manufacturing.bills_of_material"],
  ["open tickets by priority", "support.tickets"],
  ["average stars in satisfaction surveys per topic", "support.satisfaction_surveys support.tickets"],
  ["escalations per level and agent", "support.escalations support.tickets"],
  ["knowledge articles with the most helpful votes", "support.knowledge_articles"],
  ["spend of campaigns by medium", "marketing.campaigns"],
  ["leads by grade for each campaign", "marketing.leads marketing.campaigns"],
  ["open rate of newsletters", "marketing.newsletters"],
  ["web visits per browser", "marketing.web_visits"],
  ["coupons redeemed and their worth", "marketing.coupons"],
  ["admissions per ward and insurer", "clinic.admissions clinic.patients"],
  ["most frequent icd codes with severity", "clinic.diagnoses"],
  ["drugs prescribed to patients by sex", "clinic.prescriptions clinic.patients"],
  ["laboratory readings per analyte", "clinic.laboratory_results"],
  ["average mark per lecture and lecturer", "campus.enrolments campus.lectures"],
  ["students per programme and semester", "campus.students"],
  ["monthly scholarship by sponsor", "campus.scholarships"],
  ["pass rate of examinations per term", "campus.examinations campus.lectures"],
  ["How many movies were made by each distributor?", "vega.movies"],
  ["average body mass of penguins per island", "vega.penguins"],
  ["horsepower of cars from Japan", "vega.cars"],
  ["deaths by natural disaster", "vega.disasters"],
  ["fertility and life expectancy per country", "vega.gapminder"],
  ["birdstrikes by phase of flight", "vega.birdstrikes"],
  ["yield of each variety of barley", "vega.barley"],
  ["rainy days in Seattle", "vega.seattle_weather"],
  ["total receipts of the candidate SMITH, JESSE TREMAIN", "vega.political_contributions"],
  ["home goals of FK Austria Wien", "vega.football"],
  ["iata code of Bay Springs", "vega.airports"],
  ["county of zip code 00501", "vega.zipcodes"],
  ["net generation by source in Iowa", "vega.iowa_electricity"],
  ["films directed by Christopher Nolan", "vega.movies"],
];

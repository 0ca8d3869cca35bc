/** A question, or several of which the last goes on from the others, and the same asked in SQL by hand; an empty statement where it is to be refused. */
export type FieldQuestion = readonly [asked: string | readonly string[], sql: string];

const AGE = "date_sub('year', birth_date, DATE '2026-07-01')";

const MINUTES = "(epoch(check_out) - epoch(check_in)) / 60";

const AIRLINE: readonly FieldQuestion[] = [
  // words that fill sentences, and are values here
  ["what is the median business fare?", "SELECT median(fare) FROM bookings WHERE cabin = 'Business'"],
  [["average fare in economy", "the same for business"], "SELECT avg(fare) FROM bookings WHERE cabin = 'Business'"],
  // nouns that are commands elsewhere
  [
    "refund rate by cabin",
    "SELECT cabin, round(100.0 * count(*) FILTER (refunded = 'Y') / count(*), 2) FROM bookings GROUP BY 1",
  ],
  // numbers of what rows belong to, and rows that choose them
  [
    "average seats of flights to LIS",
    "SELECT avg(seats) FROM flights JOIN aircraft USING (tail_no) WHERE destination = 'LIS'",
  ],
  ["how many seats do aircraft with cancelled flights have?", ""],
  [
    "total pax of flights with a business booking",
    "SELECT sum(pax) FROM flights WHERE flight_id IN (SELECT flight_id FROM bookings WHERE cabin = 'Business')",
  ],
  ["aircraft without flights", "SELECT * FROM aircraft WHERE tail_no NOT IN (SELECT tail_no FROM flights)"],
  // two roles of one kind of place
  ["number of flights from OSL", "SELECT count(*) FROM flights WHERE origin = 'OSL'"],
  [
    "number of flights to LIS in 2025",
    "SELECT count(*) FROM flights WHERE destination = 'LIS' AND year(departed_at) = 2025",
  ],
  [
    "flights from AMS to BCN by status",
    "SELECT status, count(*) FROM flights WHERE origin = 'AMS' AND destination = 'BCN' GROUP BY 1",
  ],
  // times within a year
  [
    "how many flights departed in the last quarter of 2025?",
    "SELECT count(*) FROM flights WHERE departed_at >= '2025-10-01' AND departed_at < '2026-01-01'",
  ],
  [
    "total pax in the first month of 2026",
    "SELECT sum(pax) FROM flights WHERE departed_at >= '2026-01-01' AND departed_at < '2026-02-01'",
  ],
  ["average number of bags per booking", "SELECT avg(bags) FROM bookings"],
];

const PERMITS: readonly FieldQuestion[] = [
  [
    ["permits filed in 2025", "and by status?"],
    "SELECT status, count(*) FROM permits WHERE year(filed_on) = 2025 GROUP BY 1",
  ],
  // one of them, or all of them
  [
    "how many permits failed at least one inspection?",
    "SELECT count(DISTINCT permit_id) FROM inspections WHERE result = 'Fail'",
  ],
  ["how many permits passed every inspection?", ""],
  ["permits whose inspections were all passed", ""],
  ["number of permits with only failed inspections", ""],
  // whole numbers that are kinds
  ["permits by ward", "SELECT ward, count(*) FROM permits GROUP BY 1"],
  [
    "ward with the most permits",
    "SELECT ward FROM permits GROUP BY 1 QUALIFY rank() OVER (ORDER BY count(*) DESC) = 1",
  ],
  ["last inspection of each permit", "SELECT permit_id, max(inspected_on) FROM inspections GROUP BY 1"],
  [
    "average fee of permits with a failed inspection",
    "SELECT avg(fee) FROM permits WHERE permit_id IN (SELECT permit_id FROM inspections WHERE result = 'Fail')",
  ],
  [
    "total fee of permits that were inspected by T. Boyd",
    "SELECT sum(fee) FROM permits WHERE permit_id IN (SELECT permit_id FROM inspections WHERE inspector = 'T. Boyd')",
  ],
  [
    "average fee of permits without inspections",
    "SELECT avg(fee) FROM permits WHERE permit_id NOT IN (SELECT permit_id FROM inspections)",
  ],
  [
    "permits without inspections by ward",
    "SELECT ward, count(*) FROM permits WHERE permit_id NOT IN (SELECT permit_id FROM inspections) GROUP BY 1",
  ],
  ["permits without inspections in 2026 by ward", ""],
  ["permits with 3 inspections", "SELECT permit_id FROM inspections GROUP BY 1 HAVING count(*) = 3"],
];

const WAITS: readonly FieldQuestion[] = [
  ["median days to issue a permit", "SELECT median(issued_on - filed_on) FROM permits"],
  ["average time to issue by permit type", "SELECT permit_type, avg(issued_on - filed_on) FROM permits GROUP BY 1"],
  ["permits issued within 10 days", "SELECT * FROM permits WHERE issued_on - filed_on <= 10"],
  [
    "how many permits took between 20 and 30 days to issue?",
    "SELECT count(*) FROM permits WHERE issued_on - filed_on BETWEEN 20 AND 30",
  ],
  [
    "permits issued between 5 and 10 days after filing",
    "SELECT * FROM permits WHERE issued_on - filed_on BETWEEN 5 AND 10",
  ],
  [
    "inspection pass rate by inspector",
    "SELECT inspector, round(100.0 * count(*) FILTER (result = 'Pass') / count(*), 2) FROM inspections GROUP BY 1",
  ],
];

const SCHOOL: readonly FieldQuestion[] = [
  [
    "grade level with the most students",
    "SELECT grade_level FROM students GROUP BY 1 QUALIFY rank() OVER (ORDER BY count(*) DESC) = 1",
  ],
  ["share of each letter", "SELECT letter, round(100.0 * count(*) / sum(count(*)) OVER (), 2) FROM grades GROUP BY 1"],
  [
    "students without absences by house",
    "SELECT house, count(*) FROM students WHERE student_id NOT IN (SELECT student_id FROM absences) GROUP BY 1",
  ],
  ["students without a tutor", "SELECT * FROM students WHERE tutor_code IS NULL"],
  [
    "average grade level of students absent for illness",
    "SELECT avg(grade_level) FROM students WHERE student_id IN (SELECT student_id FROM absences WHERE reason = 'Illness')",
  ],
  ["absences not caused by illness", ""],
  ["number of absences out", "SELECT count(*) FROM absences WHERE direction = 'OUT'"],
  [
    "number of absences in by month",
    "SELECT date_trunc('month', absent_on)::DATE, count(*) FROM absences WHERE direction = 'IN' GROUP BY 1",
  ],
  // a verb chooses some of the related rows, and a number may be of two things
  ["students who failed biology", ""],
  ["students in grade 9", ""],
];

const GYM: readonly FieldQuestion[] = [
  [
    "average age of members who visited Riverside",
    `SELECT avg(${AGE}) FROM members WHERE member_id IN (SELECT member_id FROM visits WHERE club = 'Riverside')`,
  ],
  [
    "average age of members with visits by home club",
    `SELECT home_club, avg(${AGE}) FROM members WHERE member_id IN (SELECT member_id FROM visits) GROUP BY 1`,
  ],
  [
    "average age of members who paid by card",
    `SELECT avg(${AGE}) FROM members WHERE member_id IN (SELECT member_id FROM payments WHERE method = 'Card')`,
  ],
  [
    "members by home club who have no payments",
    "SELECT home_club, count(*) FROM members WHERE member_id NOT IN (SELECT member_id FROM payments) GROUP BY 1",
  ],
  ["members who joined before 2025 and have not visited in 2026", ""],
  // how long rows last, and bounds of it
  ["total visit hours by club", `SELECT club, sum(${MINUTES}) / 60 FROM visits GROUP BY 1`],
  ["visits longer than 90 minutes", `SELECT * FROM visits WHERE ${MINUTES} > 90`],
  ["visits that lasted between 60 and 90 minutes", `SELECT * FROM visits WHERE ${MINUTES} BETWEEN 60 AND 90`],
  ["how many visits lasted less than 1 hour?", `SELECT count(*) FROM visits WHERE ${MINUTES} < 60`],
  ["members that cancelled within 90 days of joining", "SELECT * FROM members WHERE cancelled_on - joined_on <= 90"],
  ["how many visits per member on average?", "SELECT count(*) / count(DISTINCT member_id) FROM visits"],
  ["visits by hours", "SELECT hour(check_in), count(*) FROM visits GROUP BY 1"],
];

const C = "counts JOIN counters USING (counter_id)";

/** The first `most` sites of each year by cyclists. */
const BEST_OF_YEARS = (most: number) =>
  `SELECT date_trunc('year', counted_on)::DATE, site, sum(cyclists) FROM ${C} GROUP BY 1, 2 QUALIFY row_number() OVER (PARTITION BY 1 + year(any_value(counted_on)) ORDER BY sum(cyclists) DESC) <= ${most}`;

const COUNTERS: readonly FieldQuestion[] = [
  // numbers that each row has some of (CA-115)
  ["how many cyclists were counted in 2025?", "SELECT sum(cyclists) FROM counts WHERE year(counted_on) = 2025"],
  ["how many different cyclists", "SELECT count(DISTINCT cyclists) FROM counts"],
  ["what share of cyclists is inbound?", "SELECT round(100.0 * sum(inbound) / sum(cyclists), 2) FROM counts"],
  [
    "counters with cyclists over 990",
    "SELECT site FROM counters WHERE counter_id IN (SELECT counter_id FROM counts WHERE cyclists > 990)",
  ],
  [
    "counters with total cyclists over 78000",
    "SELECT counter_id, sum(cyclists) FROM counts GROUP BY 1 HAVING sum(cyclists) > 78000",
  ],
  // the first of each time (CA-116)
  ["top 2 sites by cyclists in 2025 and 2026", BEST_OF_YEARS(2)],
  ["top 3 sites each year by cyclists", BEST_OF_YEARS(3)],
  ["site with the most cyclists each year", BEST_OF_YEARS(1)],
  ["top 2 sites by cyclists in the first half of 2025 and the first half of 2026", ""],
  // superlatives and ranges (CA-117)
  ["hottest day", "SELECT counted_on, max(temperature) FROM counts GROUP BY 1 ORDER BY 2 DESC LIMIT 1"],
  [
    "coldest day in 2026",
    "SELECT counted_on, min(temperature) FROM counts WHERE year(counted_on) = 2026 GROUP BY 1 ORDER BY 2 LIMIT 1",
  ],
  [
    "hottest month",
    "SELECT date_trunc('month', counted_on)::DATE, avg(temperature) FROM counts GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
  ],
  [
    "rainiest month",
    "SELECT date_trunc('month', counted_on)::DATE, sum(rain_mm) FROM counts GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
  ],
  ["temperature range by site", `SELECT site, min(temperature), max(temperature) FROM ${C} GROUP BY 1`],
  [
    "newest counter",
    "SELECT counter_id, installed_on FROM counters WHERE installed_on = (SELECT max(installed_on) FROM counters)",
  ],
  ["busiest counter", "SELECT counter_id, count(*) FROM counts GROUP BY 1"],
  // two things beside each other
  [
    "cyclists on Mondays vs Fridays",
    "SELECT dayname(counted_on), sum(cyclists) FROM counts WHERE isodow(counted_on) IN (1, 5) GROUP BY 1",
  ],
  ["cyclists in North vs South", `SELECT district, sum(cyclists) FROM ${C} GROUP BY 1`],
  [
    "cyclists in May 2025 versus May 2026 by district",
    `SELECT date_trunc('month', counted_on)::DATE, district, sum(cyclists) FROM ${C} WHERE month(counted_on) = 5 GROUP BY 1, 2`,
  ],
  [
    "compare cyclists at Harbour and Mill",
    `SELECT site, sum(cyclists) FROM ${C} WHERE site IN ('Harbour', 'Mill') GROUP BY 1`,
  ],
  ["inbound vs cyclists by site", `SELECT site, sum(inbound), sum(cyclists) FROM ${C} GROUP BY 1`],
  ["counts without data for Harbour", ""],
];

/** Questions in the words of people of the field, by the set of tables that they are about. */
export const FIELD_QUESTIONS: Readonly<Record<string, readonly FieldQuestion[]>> = {
  airline: AIRLINE,
  permits: [...PERMITS, ...WAITS],
  school: SCHOOL,
  gym: GYM,
  counters: COUNTERS,
};

/** What has to be told beside an answer, or in its place. */
export const FIELD_DOUBTS: readonly (readonly [set: string, question: string, words: RegExp])[] = [
  ["airline", "what is the median business fare?", /“business” is read as the cabin Business/],
  ["airline", "average seats of flights to LIS", /seats of aircraft counts once for each of flights/],
  ["gym", "total payments in 2026", /Rows of payments were counted; say “total amount”/],
  ["permits", "last inspection of each permit", /the last of inspections is told for each, by inspected on/],
  ["permits", "permits without a fee", /missing fee/],
  ["airline", "bookings without fare", /“missing fare” or “fare = 0”/],
  ["school", "students in grade 9", /may be of grade level or the grades with that key/],
  ["school", "students who failed biology", /“failed”/],
];

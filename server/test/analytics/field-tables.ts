import { chance, DAY, day, time, type WrittenTable } from "./computed-tables.ts";

function airline(): readonly WrittenTable[] {
  const next = chance(11);
  const airports = ["AMS Netherlands", "LIS Portugal", "OSL Norway", "BCN Spain"].map((one) => one.split(" "));
  const codes = airports.map(([code = ""]) => code);
  const aircraft = ["PH-AX", "PH-BX", "PH-CX", "PH-DX"].map((tail, at) => [
    tail,
    at < 2 ? "E190" : "A320",
    100 + 74 * at,
  ]);
  const flights = Array.from({ length: 200 }, (_, at) => {
    const from = next(4);
    const to = (from + 1 + next(3)) % 4;
    const leaves = Date.UTC(2025, 0, 1) + next(540) * DAY + next(86_400) * 1000;
    const status = next(9) === 0 ? "Cancelled" : "Landed";
    return [
      at + 1,
      aircraft[next(3)]?.[0] ?? "",
      codes[from] ?? "",
      codes[to] ?? "",
      time(leaves),
      status,
      40 + next(130),
    ];
  });
  const bookings = Array.from({ length: 400 }, (_, at) => [
    at + 1,
    1 + next(190),
    next(4) === 0 ? "Business" : "Economy",
    60 + next(30_000) / 100,
    day(Date.UTC(2025, 0, 1) + next(540) * DAY),
    next(10) === 0 ? "Y" : "N",
    next(4),
  ]);
  return [
    { name: "airports", columns: ["iata VARCHAR(3) PRIMARY KEY", "country VARCHAR(20)"], rows: airports },
    {
      name: "aircraft",
      columns: ["tail_no VARCHAR(8) PRIMARY KEY", "model VARCHAR(20)", "seats INTEGER"],
      rows: aircraft,
    },
    {
      name: "flights",
      columns: [
        "flight_id INTEGER PRIMARY KEY",
        "tail_no VARCHAR(8)",
        "origin VARCHAR(3)",
        "destination VARCHAR(3)",
        "departed_at TIMESTAMP",
        "status VARCHAR(20)",
        "pax INTEGER",
        "FOREIGN KEY (tail_no) REFERENCES aircraft (tail_no)",
      ],
      rows: flights,
    },
    {
      name: "bookings",
      columns: [
        "booking_no INTEGER PRIMARY KEY",
        "flight_id INTEGER",
        "cabin VARCHAR(20)",
        "fare DOUBLE PRECISION",
        "booked_on DATE",
        "refunded VARCHAR(1)",
        "bags INTEGER",
        "FOREIGN KEY (flight_id) REFERENCES flights (flight_id)",
      ],
      rows: bookings,
    },
  ];
}

function permits(): readonly WrittenTable[] {
  const next = chance(23);
  const types = ["Building", "Electrical", "Plumbing"];
  const filed = Array.from({ length: 150 }, (_, at) => {
    const begun = Date.UTC(2025, 0, 3) + next(500) * DAY;
    const issued = next(4) > 0 ? begun + (1 + next(40)) * DAY : undefined;
    const state = issued === undefined ? (next(2) === 0 ? "Pending" : "Denied") : "Issued";
    const fee = next(15) === 0 ? null : 50 + next(3000);
    return [
      at + 1,
      types[next(3)] ?? "",
      1 + next(6),
      day(begun),
      issued === undefined ? null : day(issued),
      state,
      fee,
    ];
  });
  const inspections = Array.from({ length: 220 }, (_, at) => [
    at + 1,
    1 + next(120),
    day(Date.UTC(2025, 3, 1) + next(440) * DAY),
    ["T. Boyd", "M. Ortiz"][next(2)] ?? "",
    ["Pass", "Pass", "Fail"][next(3)] ?? "",
  ]);
  return [
    {
      name: "permits",
      columns: [
        "permit_id INTEGER PRIMARY KEY",
        "permit_type VARCHAR(20)",
        "ward INTEGER",
        "filed_on DATE",
        "issued_on DATE",
        "status VARCHAR(20)",
        "fee INTEGER",
      ],
      rows: filed,
    },
    {
      name: "inspections",
      columns: [
        "inspection_id INTEGER PRIMARY KEY",
        "permit_id INTEGER",
        "inspected_on DATE",
        "inspector VARCHAR(20)",
        "result VARCHAR(20)",
        "FOREIGN KEY (permit_id) REFERENCES permits (permit_id)",
      ],
      rows: inspections,
    },
  ];
}

function school(): readonly WrittenTable[] {
  const next = chance(71);
  const students = Array.from({ length: 60 }, (_, at) => [
    at + 1,
    `Student ${at + 1}`,
    7 + next(4),
    ["Oak", "Elm", "Ash"][next(3)] ?? "",
    next(9) === 0 ? null : (["T1", "T2"][next(2)] ?? ""),
  ]);
  const courses = ["ALG Algebra", "BIO Biology", "ART Painting"].map((one) => one.split(" "));
  const grades = Array.from({ length: 200 }, (_, at) => [
    at + 1,
    1 + next(55),
    ["ALG", "BIO"][next(2)] ?? "",
    45 + next(56),
    ["A", "B", "C", "F"][next(4)] ?? "",
  ]);
  const absences = Array.from({ length: 120 }, (_, at) => [
    at + 1,
    1 + next(40),
    day(Date.UTC(2026, 0, 5) + next(160) * DAY),
    ["Illness", "Family", null][next(3)] ?? null,
    ["IN", "OUT"][next(2)] ?? "",
  ]);
  const tutors = [
    ["T1", "Ms. Ruiz", 3],
    ["T2", "Mr. Cole", 9],
  ];
  return [
    {
      name: "tutors",
      columns: ["tutor_code VARCHAR(4) PRIMARY KEY", "name VARCHAR(20)", "years_here INTEGER"],
      rows: tutors,
    },
    {
      name: "students",
      columns: [
        "student_id INTEGER PRIMARY KEY",
        "name VARCHAR(20)",
        "grade_level INTEGER",
        "house VARCHAR(8)",
        "tutor_code VARCHAR(4)",
        "FOREIGN KEY (tutor_code) REFERENCES tutors (tutor_code)",
      ],
      rows: students,
    },
    { name: "courses", columns: ["course_code VARCHAR(4) PRIMARY KEY", "title VARCHAR(20)"], rows: courses },
    {
      name: "grades",
      columns: [
        "grade_id INTEGER PRIMARY KEY",
        "student_id INTEGER",
        "course_code VARCHAR(4)",
        "score INTEGER",
        "letter VARCHAR(1)",
        "FOREIGN KEY (student_id) REFERENCES students (student_id)",
        "FOREIGN KEY (course_code) REFERENCES courses (course_code)",
      ],
      rows: grades,
    },
    {
      name: "absences",
      columns: [
        "absence_id INTEGER PRIMARY KEY",
        "student_id INTEGER",
        "absent_on DATE",
        "reason VARCHAR(20)",
        "direction VARCHAR(4)",
        "FOREIGN KEY (student_id) REFERENCES students (student_id)",
      ],
      rows: absences,
    },
  ];
}

function gym(): readonly WrittenTable[] {
  const next = chance(37);
  const members = Array.from({ length: 80 }, (_, at) => {
    const joined = Date.UTC(2024, 0, 1) + next(700) * DAY;
    const isGone = next(4) === 0;
    return [
      at + 1,
      day(Date.UTC(1950 + next(50), next(12), 1 + next(28))),
      ["Riverside", "Old Town"][next(2)] ?? "",
      day(joined),
      isGone ? day(joined + (30 + next(300)) * DAY) : null,
      next(2) === 0 ? "Y" : "N",
    ];
  });
  const visits = Array.from({ length: 400 }, (_, at) => {
    const begun = Date.UTC(2025, 0, 1) + next(540) * DAY + next(80_000) * 1000;
    const ended = next(20) === 0 ? null : time(begun + (20 + next(120)) * 60_000);
    return [at + 1, 1 + next(70), ["Riverside", "Old Town", "Northgate"][next(3)] ?? "", time(begun), ended];
  });
  const payments = Array.from({ length: 300 }, (_, at) => [
    at + 1,
    1 + next(70),
    day(Date.UTC(2025, 0, 1) + next(540) * DAY),
    (next(10) === 0 ? -1 : 1) * (15 + next(40)),
    ["Card", "Cash"][next(2)] ?? "",
  ]);
  return [
    {
      name: "members",
      columns: [
        "member_id INTEGER PRIMARY KEY",
        "birth_date DATE",
        "home_club VARCHAR(20)",
        "joined_on DATE",
        "cancelled_on DATE",
        "newsletter VARCHAR(1)",
      ],
      rows: members,
    },
    {
      name: "visits",
      columns: [
        "visit_id INTEGER PRIMARY KEY",
        "member_id INTEGER",
        "club VARCHAR(20)",
        "check_in TIMESTAMP",
        "check_out TIMESTAMP",
        "FOREIGN KEY (member_id) REFERENCES members (member_id)",
      ],
      rows: visits,
    },
    {
      name: "payments",
      columns: [
        "payment_id INTEGER PRIMARY KEY",
        "member_id INTEGER",
        "paid_on DATE",
        "amount INTEGER",
        "method VARCHAR(20)",
        "FOREIGN KEY (member_id) REFERENCES members (member_id)",
      ],
      rows: payments,
    },
  ];
}

function counters(): readonly WrittenTable[] {
  const next = chance(31);
  const sites = ["Harbour", "Station", "Mill", "Campus"].map((site, at) => [
    `Z${at + 1}`,
    site,
    at % 2 === 0 ? "North" : "South",
    at === 2 ? null : day(Date.UTC(2018 + at, 2 * at, 1 + at)),
  ]);
  const counts = Array.from({ length: 600 }, (_, at) => {
    const moment = Date.UTC(2025, 0, 1) + Math.floor(at / 4) * 3 * DAY;
    const isFault = next(25) === 0;
    return [
      at + 1,
      `Z${1 + (at % 4)}`,
      day(moment),
      isFault ? null : 100 + next(900),
      isFault ? null : 20 + next(80),
      // Each of these is there once, so that no two days are as hot.
      ((at * 7) % 601) / 10 - 20,
      next(3) === 0 ? next(200) / 10 : 0,
      isFault ? "fault" : "ok",
    ];
  });
  return [
    {
      name: "counters",
      columns: ["counter_id VARCHAR(4) PRIMARY KEY", "site VARCHAR(20)", "district VARCHAR(20)", "installed_on DATE"],
      rows: sites,
    },
    {
      name: "counts",
      columns: [
        "count_no INTEGER PRIMARY KEY",
        "counter_id VARCHAR(4)",
        "counted_on DATE",
        "cyclists INTEGER",
        "inbound INTEGER",
        "temperature DOUBLE PRECISION",
        "rain_mm DOUBLE PRECISION",
        "status VARCHAR(8)",
        "FOREIGN KEY (counter_id) REFERENCES counters (counter_id)",
      ],
      rows: counts,
    },
  ];
}

/** Tables of five fields, with codes, flags in letters, negative amounts and rows that nothing belongs to. */
export const FIELD_TABLES: Readonly<Record<string, readonly WrittenTable[]>> = {
  airline: airline(),
  permits: permits(),
  school: school(),
  gym: gym(),
  counters: counters(),
};

/** A statistic that a program of the rules computes. */
export type Statistic = "correlation" | "deviation" | "outliers" | "forecast" | "trend";

/** The instruction of a program in words; it also identifies the program. */
export function instructionFor(statistic: Statistic, ahead: number): string {
  switch (statistic) {
    case "correlation":
      return "Compute the correlation (Pearson) of the two numbers.";
    case "deviation":
      return "Compute mean and standard deviation of the number.";
    case "outliers":
      return "Find values more than one and a half interquartile ranges outside the middle half.";
    case "forecast":
      return `Continue the line for ${ahead} more units: straight trend, and the season of the year where two years are known.`;
    case "trend":
      return "Fit a straight line through the numbers over time.";
  }
}

/** The Python program for an instruction; undefined for any other instruction. */
export function programFor(instruction: string): string | undefined {
  const statistics = ["correlation", "deviation", "outliers", "forecast", "trend"] as const;
  const ahead = Number(/for (\d+) more/.exec(instruction)?.[1] ?? 0);
  const found = statistics.find((statistic) => instructionFor(statistic, ahead) === instruction);
  return found && `${COMMON}\n${PROGRAMS[found].replaceAll("$ahead", String(ahead))}`;
}

/** Numbers of a result: its last numeric columns, rows with an empty cell left out. */
const COMMON = `import math
import statistics
from datetime import date

def numeric(rows):
    names = list(rows[0]) if rows else []
    return [n for n in names if any(isinstance(r[n], (int, float)) and not isinstance(r[n], bool) for r in rows)]

def shown(value):
    return f"{value:,.2f}"

def first(results):
    return next(iter(results.values()))

def line(values):
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    spread = sum((i - middle) ** 2 for i in range(count))
    slope = sum((i - middle) * (v - mean) for i, v in enumerate(values)) / spread if spread else 0.0
    return slope, mean - slope * middle
`;

const PROGRAMS: Readonly<Record<Statistic, string>> = {
  correlation: `
def analyze(results):
    rows = first(results)
    names = numeric(rows)[-2:]
    if len(names) < 2:
        return {"text": "A correlation needs two numbers in each row."}
    a, b = names
    pairs = [(r[a], r[b]) for r in rows if r[a] is not None and r[b] is not None]
    if len(pairs) < 3 or len({x for x, _ in pairs}) < 2 or len({y for _, y in pairs}) < 2:
        return {"text": "There are too few different values for a correlation."}
    r = statistics.correlation([x for x, _ in pairs], [y for _, y in pairs])
    size = abs(r)
    strength = "no" if size < 0.1 else "a weak" if size < 0.3 else "a moderate" if size < 0.6 else "a strong"
    way = "" if size < 0.1 else " positive" if r > 0 else " negative"
    print(f"pairs {len(pairs)}, r {r}")
    return {"text": f"The correlation of {a.replace('_', ' ')} and {b.replace('_', ' ')} is **{r:.3f}** over {len(pairs):,} rows: {strength}{way} relation."}
`,
  deviation: `
def analyze(results):
    rows = first(results)
    name = numeric(rows)[-1]
    values = [r[name] for r in rows if r[name] is not None]
    if len(values) < 2:
        return {"text": "There are too few values for a standard deviation."}
    mean, deviation = statistics.fmean(values), statistics.stdev(values)
    print(f"values {len(values)}, mean {mean}, standard deviation {deviation}")
    return {"text": f"The standard deviation of {name.replace('_', ' ')} is **{shown(deviation)}** around a mean of {shown(mean)}, over {len(values):,} values."}
`,
  outliers: `
def analyze(results):
    rows = first(results)
    name = numeric(rows)[-1]
    rows = [r for r in rows if r[name] is not None]
    if len(rows) < 4:
        return {"text": "There are too few values to tell outliers."}
    low, _, high = statistics.quantiles([r[name] for r in rows], n=4, method="inclusive")
    reach = 1.5 * (high - low)
    found = sorted((r for r in rows if not low - reach <= r[name] <= high + reach), key=lambda r: -abs(r[name] - (low + high) / 2))
    print(f"values {len(rows)}, bounds {low - reach} to {high + reach}, outliers {len(found)}")
    inside = f"Usual values of {name.replace('_', ' ')} lie between {shown(low - reach)} and {shown(high + reach)}."
    if not found:
        return {"text": f"There are no outliers among {len(rows):,} values. {inside}"}
    listed = ", ".join(" ".join(str(v) for k, v in r.items() if k != name) + f" ({shown(r[name])})" for r in found[:5])
    return {"text": f"**{len(found):,}** of {len(rows):,} values are outliers, the farthest: {listed}. {inside}", "csv": found[:1000]}
`,
  forecast: `
def months_later(day, months):
    month = day.month - 1 + months
    return date(day.year + month // 12, month % 12 + 1, 1)

def analyze(results):
    rows = first(results)
    name = numeric(rows)[-1]
    time = list(rows[0])[0] if rows else ""
    rows = [r for r in rows if r[name] is not None]
    if len(rows) < 6:
        return {"text": "There are too few months for a forecast; six are needed."}
    days = [date.fromisoformat(str(r[time])[:10]) for r in rows]
    values = [r[name] for r in rows]
    slope, start = line(values)
    ahead = [months_later(days[-1], step) for step in range(1, $ahead + 1)]
    seasonal = len(values) >= 22 and all(any(d.month == day.month for d in days) for day in ahead)
    base = [start + slope * i for i in range(len(values))]
    ratios = {}
    for day, value, expected in zip(days, values, base):
        if expected > 0:
            ratios.setdefault(day.month, []).append(value / expected)
    errors = [value - expected * (statistics.fmean(ratios.get(day.month, [1])) if seasonal else 1) for day, value, expected in zip(days, values, base)]
    spread = statistics.stdev(errors)
    made = []
    for step in range(1, $ahead + 1):
        day = months_later(days[-1], step)
        expected = start + slope * (len(values) - 1 + step)
        if seasonal:
            expected *= statistics.fmean(ratios.get(day.month, [1]))
        made.append({time: day.isoformat(), name: round(expected, 2), "low": round(expected - 1.96 * spread, 2), "high": round(expected + 1.96 * spread, 2)})
    print(f"months {len(values)}, seasonal {seasonal}, slope {slope}, spread {spread}")
    told = ", ".join(f"{m[time][:7]}: **{shown(m[name])}** ({shown(m['low'])} to {shown(m['high'])})" for m in made)
    how = "trend and season" if seasonal else "a straight trend; a season needs nearly two years"
    drawn = [{"when": d.isoformat(), "value": v, "kind": "known"} for d, v in zip(days, values)] + [{"when": m[time], "value": m[name], "kind": "forecast"} for m in made]
    vega = {"title": f"{name.replace('_', ' ')}, known and forecast", "data": {"values": drawn}, "mark": {"type": "line", "point": True, "tooltip": True},
            "encoding": {"x": {"field": "when", "type": "temporal", "timeUnit": "utcyearmonth"}, "y": {"field": "value", "type": "quantitative"}, "color": {"field": "kind", "type": "nominal"}}}
    return {"text": f"Forecast of {name.replace('_', ' ')} by {how}: {told}. It is a continuation of {len(values)} months, not knowledge.", "csv": made, "vega": vega}
`,
  trend: `
def analyze(results):
    rows = first(results)
    name = numeric(rows)[-1]
    values = [r[name] for r in rows if r[name] is not None]
    if len(values) < 3:
        return {"text": "There are too few points for a trend."}
    slope, start = line(values)
    mean = statistics.fmean(values)
    total = sum((v - mean) ** 2 for v in values)
    left = sum((v - start - slope * i) ** 2 for i, v in enumerate(values))
    fit = 1 - left / total if total else 0.0
    print(f"points {len(values)}, slope {slope}, fit {fit}")
    way = "rises" if slope > 0 else "falls"
    certainty = "The line explains little of the ups and downs" if fit < 0.3 else "The line explains a good part of the ups and downs" if fit < 0.7 else "The line fits well"
    return {"text": f"{name.replace('_', ' ').capitalize()} {way} by **{shown(abs(slope))}** from one point to the next on average, over {len(values)} points. {certainty} (R² {fit:.2f})."}
`,
};

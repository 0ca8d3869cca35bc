/** Maximum decimals shown. The downloaded rows have all of them. */
const MOST_DECIMALS = 4;
/** The same in a column with a number of three digits or more before the point. */
const MOST_OF_LARGE = 2;
const LARGE = 100;

/** Columns whose numbers are names: grouped by thousands they would be misread. */
const NAMES = /(^|_)(id|year|number|no|zip|postcode)$/i;

const NUMBERS = new Set(["INTEGER", "INT64", "FLOAT", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);

/** Whether a column has numbers, by its type of the API. */
export function hasNumbers({ type }: { readonly type: string }): boolean {
  return NUMBERS.has(type);
}

/** Writes the numbers of one column alike, with the same decimals in every row; what is no number stays as it is. */
export function numberColumn(name: string, texts: readonly string[], locale?: string): (text: string) => string {
  const numbers = texts.filter(isNumber).map(Number);
  const most = numbers.some((number) => Math.abs(number) >= LARGE) ? MOST_OF_LARGE : MOST_DECIMALS;
  const decimals = numbers.reduce((longest, number) => Math.max(longest, decimalsOf(number, most)), 0);
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: !NAMES.test(name),
  });
  return (text) => (isNumber(text) ? format.format(Number(text)) : text);
}

/** A number that a browser computes with exactly. */
function isNumber(text: string): boolean {
  return text.trim() !== "" && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;
}

function decimalsOf(number: number, most: number): number {
  const [, decimals = ""] = number.toFixed(most).split(".");
  return decimals.replace(/0+$/, "").length;
}

import { shortestFloat } from "#base";

/** A double in Java's format, which package files have: `0.0`, `1044.0`, `1.23456789E8` (PKG-13). */
export function formatDouble(value: number): string {
  return format(value, (number) => number.toString());
}

/** A 32-bit float in the fewest digits that read back as the same float: `1.16`, `1.0`. */
export function formatFloat(value: number): string {
  return format(value, (number) => shortestFloat(number).toString());
}

function format(value: number, digitsOf: (value: number) => string): string {
  if (!Number.isFinite(value)) return `"${Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"}"`;
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const sign = value < 0 ? "-" : "";
  const size = Math.abs(value);
  const { digits, exponent } = decimalOf(digitsOf(size));
  return (
    sign + (size >= 1e-3 && size < 1e7 ? plain(digits, exponent) : `${digits[0]}.${digits.slice(1) || "0"}E${exponent}`)
  );
}

/** Significant digits and the power of ten of the first one. */
function decimalOf(text: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = "", power = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, "").length;
  const digits = all.slice(leading).replace(/0+$/, "") || "0";
  return { digits, exponent: Number(power) + whole.length - 1 - leading };
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}

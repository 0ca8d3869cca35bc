/** The outcome of work, if it is there within so many milliseconds; else it rejects with the error of `fault`, and the outcome is nobody's. */
export async function within<Outcome>(
  milliseconds: number,
  work: Promise<Outcome>,
  fault: () => unknown,
): Promise<Outcome> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(fault()), milliseconds).unref();
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The time of the files in a test's wheel: the same in all runs, so that its image is built once. */
export const WHEEL_TIME = new Date(2026, 0, 1);

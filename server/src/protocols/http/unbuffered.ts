/** Tells nginx, and proxies made of it, to pass a stream on as it comes (WIRE-48): by default they keep it until it ends. */
export const UNBUFFERED = { "x-accel-buffering": "no" };

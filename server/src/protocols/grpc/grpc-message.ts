/**
 * Rewrites the `grpc-message` of finished trailers. The library escapes it as a URI component, while grpc-js reads it as
 * a URI: its users would see `projects%2Fp`. Both readings agree on what `encodeURI` writes.
 */
export function rewriteGrpcMessage(trailer: Headers): void {
  const message = trailer.get("grpc-message");
  if (message !== null) trailer.set("grpc-message", encodeURI(decodeURIComponent(message).toWellFormed()));
}

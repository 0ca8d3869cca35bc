/** The name of a field or path as the definitions have it: `order_id` for `orderId`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Saves bytes as a file of the person's computer. */
export function saveBytes(name: string, bytes: Uint8Array, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes.slice()], { type }));
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

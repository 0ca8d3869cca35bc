/** Something is on its way; the words say what. */
export function Loading({ children }: { readonly children: string }) {
  return (
    <p className="loading" role="status">
      {children}
    </p>
  );
}

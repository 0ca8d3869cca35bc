/** Something is on its way; the words say what. */
export function Busy({ children }: { readonly children: string }) {
  return (
    <p className="busy" role="status">
      {children}
    </p>
  );
}

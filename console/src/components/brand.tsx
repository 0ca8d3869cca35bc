/** The product's mark. */
export function Brand() {
  return (
    <a className="brand" href="/">
      <img src="/favicon.svg" alt="" width="24" height="24" /> Frontdesk
    </a>
  );
}

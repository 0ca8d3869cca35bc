/** The anchor of a heading, as the sites that show repositories make it: links between the pages work there and here. */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

/** Rows as a table of a terminal: columns as wide as their longest cell, two spaces between them. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length)))
  const text = lines.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${text.join('\n')}\n`
}

/** Reads a unit of systemd, as far as ours go: a setting a line, and no continued lines. */

/** Answers the values of a setting, in their order; none when it is not there. */
export function readUnit(text: string): (name: string) => string[] {
  const pairs = text
    .split('\n')
    .filter((line) => /^[A-Za-z]+=/.test(line))
    .map((line): [string, string] => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)]
    })
  return (name) => pairs.filter(([key]) => key === name).map(([, value]) => value)
}

/** Which test proves which requirement: the ID of the requirement stands in the name of the test. */

export interface Requirement {
  readonly id: string
  /** 'AUTH: sign-in and session' */
  readonly area: string
  /** What it asks for, in a few words. */
  readonly phrase: string
}

export interface NamedTest {
  /** Relative to the root. */
  readonly path: string
  readonly name: string
}

export interface Coverage {
  readonly rows: readonly { requirement: Requirement; tests: readonly NamedTest[] }[]
  /** Requirements that stand in no test name. */
  readonly unproved: readonly Requirement[]
  /** IDs of these areas that tests name, and that do not exist. */
  readonly unknown: readonly { id: string; test: NamedTest }[]
}

/** The lines '- AUTH-01 phrase' under the headings of docs/requirements.md. */
export function requirementsIn(page: string): Requirement[] {
  let area = ''
  return page.split('\n').flatMap((line) => {
    area = /^## (.+)$/.exec(line)?.[1] ?? area
    const [, id, phrase] = /^- ([A-Z-]+-\d+) (.+)$/.exec(line) ?? []
    return id === undefined || phrase === undefined ? [] : [{ id, area, phrase }]
  })
}

export function coverageOf(
  requirements: readonly Requirement[],
  tests: readonly NamedTest[],
): Coverage {
  const known = new Map(requirements.map((requirement) => [requirement.id, [] as NamedTest[]]))
  const areas = new Set(requirements.map(({ id }) => id.replace(/-\d+$/, '')))
  const unknown: { id: string; test: NamedTest }[] = []
  for (const test of tests) {
    for (const id of idsIn(test.name, areas)) {
      const found = known.get(id)
      if (found === undefined) unknown.push({ id, test })
      else found.push(test)
    }
  }
  const rows = requirements.map((requirement) => ({
    requirement,
    tests: known.get(requirement.id) ?? [],
  }))
  const unproved = rows.filter((row) => row.tests.length === 0).map((row) => row.requirement)
  return { rows, unproved, unknown }
}

/** The IDs in a name, each once; 'API-81 to API-84' names all four. */
export function idsIn(name: string, areas: ReadonlySet<string>): string[] {
  const found = name.matchAll(
    /(?<![\w-])([A-Z]+(?:-[A-Z]+)*)-(\d+)(?: to ([A-Z]+(?:-[A-Z]+)*)-(\d+))?(?!\d)/g,
  )
  const ids = [...found].flatMap(([, area = '', first = '', lastArea, last]) => {
    if (lastArea === undefined || last === undefined) return [[area, first] as const]
    if (lastArea !== area) return [[area, first] as const, [lastArea, last] as const]
    const length = Math.max(Number(last) - Number(first), 0) + 1
    return Array.from({ length }, (_, at) => {
      const number = String(Number(first) + at).padStart(first.length, '0')
      return [area, number] as const
    })
  })
  const ours = ids.filter(([area]) => areas.has(area))
  return [...new Set(ours.map((id) => id.join('-')))]
}

import { expect, test } from 'vitest'
import { withFigures } from './figures-page.ts'

const PAGE = `# Page

<!-- figures: printed by tools/figures-page.ts -->
<!-- end of figures -->

After it.
`

function line(bench: string, got: number, git = 'abc1234'): string {
  const goals = [{ name: 'leaks', want: '<= 0 swaps', got, ok: got === 0 }]
  return JSON.stringify({ bench, rounds: 1, ours: {}, limit: {}, goals, git })
}

test('each goal of each line becomes a row', async () => {
  const page = await withFigures(PAGE, `${line('swaps', 0)}\n${line('roles', 3)}\n`, '2026-11-27')
  const rows = page.split('\n').filter((row) => row.startsWith('| `'))
  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual([
    '| `roles` | leaks | <= 0 swaps | 3 | **no** | 2026-11-27, abc1234 |',
    '| `swaps` | leaks | <= 0 swaps | 0 | yes | 2026-11-27, abc1234 |',
  ])
  expect(page).toContain('\nAfter it.\n')
})

test('a later run replaces the rows of its own proof alone', async () => {
  const first = await withFigures(PAGE, `${line('swaps', 2)}\n${line('roles', 0)}`, '2026-11-27')
  const second = await withFigures(first, line('swaps', 0, 'def5678'), '2026-12-01')
  expect(second).toContain('2026-12-01, def5678')
  expect(second.match(/`swaps`/g)).toHaveLength(1)
  expect(second).toMatch(/`roles` .* 2026-11-27, abc1234/)
})

test('a page without the marks is refused', async () => {
  await expect(withFigures('# Page\n', line('swaps', 0), '2026-11-27')).rejects.toThrow(
    'The page needs the lines',
  )
})

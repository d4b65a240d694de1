/** Every command of docs/operate/19-as-text.md, run in a shell as it stands there. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsOfPage, openPlace, shell, tokenOf } from '../shell.fixture.ts'

test('the commands of the page do what it says, with tokens of the scopes that it names', async () => {
  const { site, url, folder } = await openPlace()
  const [exporting, dryRun, inScript, ...more] = await commandsOfPage('19-as-text.md')
  expect(more).toEqual([])
  const settingsWith = (token: string) =>
    (exporting ?? '').replace('https://console.example', url).replace('trk_…', token)
  const [reading, changing] = [await tokenOf(site, 'read'), await tokenOf(site, 'all')]

  expect(await shell(settingsWith(reading), folder.path)).toEqual({ code: 0, out: '' })
  const file = join(folder.path, 'site.yaml')
  const text = await readFile(file, 'utf8')
  expect(text).toContain('title: Marathon km 30')

  const settings = settingsWith(changing).replace(/^trunkline export.*$/m, '')
  await writeFile(file, text.replace('latency: 3000', 'latency: 500'))
  const shown = await shell(
    settingsWith(reading).replace(/^trunkline export.*$/m, '') + dryRun,
    folder.path,
  )
  expect(shown.code).toBe(0)
  expect(shown.out).toContain('latency: 3000 -> 500')

  const lines = (inScript ?? '').trim().split('\n')
  const codes = []
  for (const line of [...lines, ...lines]) {
    codes.push((await shell(`${settings}\n${line}`, folder.path)).code)
  }
  // Something to do, done; nothing to do, and nothing done.
  expect(codes).toEqual([2, 0, 0, 0])
})

test('a token that may only read applies nothing, and a missing one is named', async () => {
  const { site, url, folder } = await openPlace()
  const settings = `export TRUNKLINE_URL=${url} TRUNKLINE_TOKEN=${await tokenOf(site, 'read')}\n`
  await shell(
    `${settings}trunkline export > site.yaml && sed -i s/3000/500/ site.yaml`,
    folder.path,
  )
  const refused = await shell(`${settings}trunkline apply site.yaml --yes`, folder.path)
  expect(refused.code).toBe(1)
  expect(refused.out).toContain("This call needs a token of the scope 'All that its owner may do'.")
  const unset = await shell('trunkline export', folder.path)
  expect(unset.code).toBe(1)
  expect(unset.out).toContain('TRUNKLINE_TOKEN is missing. Make an API token in the console')
})

test('without a terminal the file is read and the plan shown before apply says that it cannot ask', async () => {
  const { site, url, folder } = await openPlace()
  const settings = `export TRUNKLINE_URL=${url} TRUNKLINE_TOKEN=${await tokenOf(site, 'all')}\n`
  const applied = async (line: string) => shell(`${settings}${line}`, folder.path)
  const missing = await applied('trunkline apply none.yaml')
  expect(missing.out).toContain('The file none.yaml cannot be read.')
  const same = await applied('trunkline export > site.yaml && trunkline apply site.yaml')
  expect(same.code).toBe(0)
  expect(same.out).toContain('Nothing to do')
  const asked = await applied('sed -i s/3000/500/ site.yaml && trunkline apply site.yaml')
  expect(asked.code).toBe(1)
  expect(asked.out).toContain('config.latency: 3000 -> 500')
  expect(asked.out).toContain('Nothing was changed: there is no terminal to ask on.')
  const dryRun = await applied('trunkline apply site.yaml --dry-run --detailed-exitcode')
  expect(dryRun.code).toBe(2)
})

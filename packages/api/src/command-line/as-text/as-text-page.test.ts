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
  const asked = await shell(`${settings}trunkline apply site.yaml`, folder.path)
  expect(asked).toEqual({
    code: 1,
    out: expect.stringContaining('There is no terminal to ask on.') as string,
  })
})
